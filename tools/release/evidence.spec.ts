import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { provenanceName, provenanceOf, sbomName, signed, subjectOf } from './evidence.ts';

const VERSION = '1.2.3';
const ORIGIN = { version: VERSION, commit: 'c'.repeat(40), lock: 'd'.repeat(64), builder: 'spec' };
const ARCHIVE = `deployment-assurance-${VERSION}.tar.gz`;

describe('verify-release', () => {
  let work: string;
  let folder: string;
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), 'verify-release-'));
    folder = join(work, 'release');
    release();
  });
  afterEach(() => rmSync(work, { recursive: true }));

  /** Makes a signed release whose archive has what `fill` puts into a folder. */
  function release(fill: (inside: string) => void = () => undefined, about = (archive: Buffer) => archive) {
    rmSync(folder, { recursive: true, force: true });
    const inside = join(work, 'inside');
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, 'README.md'), 'a release');
    fill(inside);
    const { privateKey } = generateKeyPairSync('ed25519');
    const archive = spawnSync('tar', ['czf', '-', '-C', work, 'inside']).stdout;
    const component = subjectOf(VERSION, new Map([[ARCHIVE, about(archive)]]));
    const sbom = Buffer.from(JSON.stringify({ bomFormat: 'CycloneDX', metadata: { component }, components: [{}] }));
    const files = new Map<string, Buffer>([
      [ARCHIVE, archive],
      [sbomName(VERSION), sbom],
    ]);
    files.set(provenanceName(VERSION), provenanceOf(files, ORIGIN, privateKey));
    mkdirSync(folder);
    for (const [name, bytes] of signed(files, privateKey)) writeFileSync(join(folder, name), bytes);
  }

  function verify(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(__dirname, 'verify.ts'), ...args], {
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  it('says which release it is, and of which commit', () => {
    for (const args of [[], ['--version', VERSION]]) {
      const { status, stdout } = verify(folder, ...args);
      expect([status, stdout]).toEqual([0, expect.stringContaining(`Release 1.2.3 of commit ${ORIGIN.commit}`)]);
    }
  });

  it('refuses a bill of materials of another archive', () => {
    release(undefined, () => Buffer.from('another'));
    const { status, stderr } = verify(folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining('is about something else than this release')]);
  });

  it('refuses another release than the named one', () => {
    expect(verify(folder, '--version', '1.2.4')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'it is release 1.2.3, not 1.2.4\n',
    });
  });

  it('refuses a link to a file of the release, and a folder in its place', () => {
    renameSync(join(folder, ARCHIVE), join(work, 'elsewhere'));
    symlinkSync(join(work, 'elsewhere'), join(folder, ARCHIVE));
    expect(verify(folder)).toMatchObject({ status: 1, stderr: `${ARCHIVE} is a link\n` });
    rmSync(join(folder, ARCHIVE));
    mkdirSync(join(folder, ARCHIVE));
    expect(verify(folder)).toMatchObject({ status: 1, stderr: `${ARCHIVE} is a folder\n` });
    rmSync(join(folder, 'SHA256SUMS'));
    mkdirSync(join(folder, 'SHA256SUMS'));
    expect(verify(folder)).toMatchObject({ status: 1, stderr: 'SHA256SUMS is a folder\n' });
  });

  it('refuses links in an archive', () => {
    release((inside) => symlinkSync('/etc/passwd', join(inside, 'notes')));
    expect(verify(folder)).toMatchObject({ status: 1, stderr: `${ARCHIVE} has a link: inside/notes\n` });
  });

  it('says what was given in place of a folder or a file', () => {
    const file = join(folder, ARCHIVE);
    expect(verify(file)).toMatchObject({ status: 1, stderr: `${file} is no folder\n` });
    expect(verify(join(work, 'nowhere'))).toMatchObject({ status: 1, stderr: `${work}/nowhere is missing\n` });
    expect(verify(folder, '--key', work)).toMatchObject({ status: 1, stderr: `${work} is a folder\n` });
  });
});
