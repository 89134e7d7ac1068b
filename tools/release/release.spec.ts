import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tarball } from './archive.ts';
import { notesOf } from './changelog.ts';
import { faultsOf, pemOf, provenanceOf, signed } from './evidence.ts';
import { licenceProblems, noticesText } from './licences.ts';

const key = generateKeyPairSync('ed25519').privateKey;
const sbom = JSON.stringify({ bomFormat: 'CycloneDX', components: [{ name: 'a' }] });

describe('a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-release-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(() => {
    const files = new Map<string, Buffer>([
      ['a.tgz', Buffer.from('content')],
      ['a.cdx.json', Buffer.from(sbom)],
    ]);
    const origin = { version: '1.2.3', commit: 'c'.repeat(40), lock: 'd'.repeat(64), builder: 'urn:x' };
    files.set('a.intoto.json', provenanceOf(new Map(files), origin, key));
    for (const [name, bytes] of signed(files, key)) writeFileSync(join(folder, name), bytes);
  });

  it('passes as it was signed', () => {
    expect(faultsOf(folder, pemOf(key))).toEqual([]);
    expect(faultsOf(folder, null)).toEqual([]);
  });

  it('fails with one other byte, wherever that is', () => {
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name));
      for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
        const other = Buffer.from(bytes);
        other[at] = (other[at] ?? 0) ^ 1;
        writeFileSync(join(folder, name), other);
        expect([name, at, faultsOf(folder, pemOf(key))]).not.toEqual([name, at, []]);
        expect([name, at, faultsOf(folder, null)]).not.toEqual([name, at, []]);
      }
      writeFileSync(join(folder, name), bytes);
    }
  });

  it('fails with another key, with a file less and with a file more', () => {
    const other = generateKeyPairSync('ed25519').privateKey;
    expect(faultsOf(folder, pemOf(other))).toEqual(['SHA256SUMS is not signed by this key']);
    const bytes = readFileSync(join(folder, 'a.tgz'));
    rmSync(join(folder, 'a.tgz'));
    expect(faultsOf(folder, null)).toEqual(['a.tgz is missing']);
    writeFileSync(join(folder, 'a.tgz'), bytes);
    writeFileSync(join(folder, 'more'), '');
    expect(faultsOf(folder, null)).toEqual(['more is not of the release']);
    rmSync(join(folder, 'more'));
  });
});

describe('an archive', () => {
  it('depends on its files alone, not on their order', async () => {
    const files = ['b', 'a/c', 'a/b'].map((name) => ({ name, content: Buffer.from(name) }));
    const bytes = await tarball('top', files, 1_700_000_000);
    expect(await tarball('top', files.toReversed(), 1_700_000_000)).toEqual(bytes);
    expect(await tarball('top', files, 1_700_000_001)).not.toEqual(bytes);
  });
});

describe('the changelog', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-27\n\nText.\n\n## [1.2.2]\n\nOlder.\n';

  it('has the notes of the release', () => {
    expect(notesOf(changelog, '1.2.3')).toBe('Text.');
  });

  it.each(['1.2.4', '1.2', '1.2.2', 'Unreleased'])('has no release %s', (version) => {
    expect(() => notesOf(changelog, version)).toThrow(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD"`);
  });
});

describe('licences', () => {
  it('are named by every package, and are compatible', () => {
    const notice = (licence: string | null) => ({ id: 'a@1', licence, text: '' });
    expect(licenceProblems(['MIT', '(MIT OR Apache-2.0)', 'MIT AND Zlib'].map(notice))).toEqual([]);
    expect(licenceProblems([notice(null)])).toEqual([expect.stringMatching(/^a@1 names no licence/)]);
    expect(licenceProblems([notice('GPL-3.0')])).toEqual([expect.stringMatching(/^a@1 has the licence GPL-3.0/)]);
  });

  it('have one text for packages that share it', () => {
    const notices = ['a@1', 'b@2'].map((id) => ({ id, licence: 'MIT', text: 'You may.' }));
    expect(noticesText(notices).match(/You may\./g)).toHaveLength(1);
  });
});
