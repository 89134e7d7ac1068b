import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { signerOf } from '@assurance/event-sourcing/checkpoints/keys';
import { verifyCommand } from './command';
import { compressWithGzip } from './gzip';
import { DIGESTS, ENVELOPE, MANIFEST } from './manifest';
import { contents, HEADING, SIGNER } from './testing/sample';
import { packTar, unpackTar, readAll } from './testing/unpack';
import { verifyPackage } from './verify/verify';
import { type Contents, textFile, writePackage } from './write';

const filesOf = async (input?: Contents) => readAll(compressWithGzip(writePackage(input ?? (await contents()))));
const findings = async (tgz: Uint8Array, trusted: readonly string[] | null = null) =>
  (await verifyPackage(Readable.from([tgz]), trusted)).findings;
const pathsOf = async (files: Iterable<readonly [string, Uint8Array]>) =>
  (await findings(gzipSync(await packTar(files)))).map(({ path }) => path);

describe('a package', () => {
  it('holds what it was given, and is as it was signed', async () => {
    const tgz = await filesOf();
    expect([...(await unpackTar(gunzipSync(tgz))).keys()]).toEqual([
      'README.txt',
      'public-keys.pem',
      'trail.json',
      'attestations/0001-scan/files/01-scan.txt',
      'events/01/000001.jsonl',
      'events/01/000003.jsonl',
      'checkpoints/01.json',
      MANIFEST,
      ENVELOPE,
      DIGESTS,
    ]);
    const verified = await verifyPackage(Readable.from([tgz]), [SIGNER.key]);
    expect(verified).toMatchObject({ findings: [], key: SIGNER.key, checkpointKeys: [SIGNER.key] });
    expect(verified.manifest).toMatchObject({
      what: HEADING.what,
      when: '2023-11-14T22:13:20.123Z',
      by_whom: HEADING.by,
    });
  });

  it('is the same bytes for the same contents and key, and its header tells no system', async () => {
    const [once, again] = [await filesOf(), await filesOf()];
    expect(once.equals(again)).toBe(true);
    expect([...once.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
  });

  it('is never made if content differs from its record', async () => {
    const file = (more: object) => contents([{ ...textFile('a', 'text'), ...more }]);
    await expect(filesOf(await file({ sha256: 'a'.repeat(64) }))).rejects.toThrow('a has the digest');
    await expect(filesOf(await file({ size: 5 }))).rejects.toThrow('a has 4 bytes, not 5');
    await expect(filesOf(await file({ size: 3 }))).rejects.toThrow();
    await expect(filesOf(await file({ path: 'x'.repeat(101) }))).rejects.toThrow('longer than 100');
  });

  it('releases what it reads when its consumer stops', async () => {
    let over = false;
    async function* endless() {
      try {
        for (;;) {
          await new Promise((next) => setImmediate(next));
          yield Buffer.alloc(65_536, 'a');
        }
      } finally {
        over = true;
      }
    }
    const tgz = compressWithGzip(writePackage(await contents([{ path: 'endless', size: 1e12, content: endless() }])));
    for await (const piece of tgz) if ((piece as Buffer).length > 0) break;
    while (!over) await new Promise((next) => setImmediate(next));
    expect(tgz.destroyed).toBe(true);
  });

  it('is read by the tools that everybody has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assurance-package-'));
    try {
      writeFileSync(join(folder, 'package.tgz'), await filesOf());
      execFileSync('tar', ['-xzf', 'package.tgz'], { cwd: folder });
      const text = execFileSync('sha256sum', ['-c', '--strict', DIGESTS], { cwd: folder, encoding: 'utf8' });
      expect(text.trim().split('\n')).toHaveLength(9);
      expect(text).not.toContain('FAILED');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('checking a package', () => {
  const files = async () => [...(await unpackTar(gunzipSync(await filesOf())))] as const;

  it('names each file that was changed', async () => {
    const all = await files();
    for (const [changed] of all) {
      const others = all.map(([path, content]) => {
        if (path !== changed) return [path, content] as const;
        const copy = Buffer.from(content);
        // The last byte ends a line, so a byte in the middle is changed.
        const at = Math.floor(copy.length / 2);
        copy[at] = (copy[at] ?? 0) ^ 1;
        return [path, copy] as const;
      });
      expect([changed, await pathsOf(others)]).toEqual([changed, expect.arrayContaining([changed])]);
    }
  });

  it('names each file that is missing, and each that came from elsewhere', async () => {
    const all = await files();
    for (const [removedPath] of all) {
      expect(await pathsOf(all.filter(([path]) => path !== removedPath))).toContain(removedPath);
    }
    expect(await pathsOf([...all, ['more.txt', Buffer.from('x')]])).toEqual(['more.txt']);
    expect(await pathsOf([...all, ['trail.json', Buffer.from('x')]])).toContain('trail.json');
  });

  it('finds commits that do not follow each other, though all digests were written anew', async () => {
    const signer = signerOf('another secret');
    const { files: input } = await contents();
    async function* changed(): Contents['files'] {
      for (let next = await input.next(); ; next = await input.next()) {
        if (next.done === true) return next.value;
        const { path, content } = next.value;
        const text = (await readAll(content as AsyncIterable<Uint8Array>)).toString();
        yield textFile(path, path.startsWith('events/01/000001') ? text.replace('"actor":"u"', '"actor":"eve"') : text);
      }
    }
    const forged = await filesOf({ heading: HEADING, files: changed(), signers: [signer] });
    expect(await findings(forged)).toEqual([
      { path: 'events/01/000001.jsonl', fault: expect.stringContaining('it does not follow the commit 1') },
    ]);
    expect(await findings(forged, [SIGNER.key])).toContainEqual({
      path: ENVELOPE,
      fault: expect.stringContaining('none of the given keys'),
    });
  });

  it('says so when it is no whole package, wherever it was cut', async () => {
    const tgz = await filesOf();
    for (const part of [0, 0.3, 0.6, 0.9]) {
      const results = await findings(tgz.subarray(0, Math.floor(tgz.length * part)));
      expect(results.map(({ fault }) => fault)).toContainEqual(expect.stringMatching(/no whole package|missing/));
    }
    expect(await findings(Buffer.from('no gzip'))).toContainEqual({
      path: null,
      fault: expect.stringContaining('no whole package'),
    });
  });

  it('checks every other file as it is, whoever wrote it', async () => {
    const all = await files();
    for (const text of [
      'null',
      '[]',
      '{"format":"assurance-audit-package/1"}',
      '{"format":"assurance-audit-package/1","files":[null],"chains":[{}]}',
    ]) {
      const others = all.map(([path, content]) => [path, path === MANIFEST ? Buffer.from(text) : content] as const);
      expect(await pathsOf(others)).toContain(MANIFEST);
    }
    for (const text of ['null\n', '{"seq":1}\n', '{"stream":"s","seq":1,"events":[null]}\n', '\n', 'x']) {
      const path = 'events/01/000001.jsonl';
      expect(
        await pathsOf(all.map(([name, content]) => [name, name === path ? Buffer.from(text) : content])),
      ).toContain(path);
    }
  });
});

describe('the command', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assurance-verify-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const run = async (...words: string[]) => {
    const answers: string[] = [];
    const code = await verifyCommand(words, {
      writeLine: (line) => answers.push(line),
      err: (line) => answers.push(line),
    });
    return { code, said: answers.join('\n') };
  };
  const file = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it('ends with 0 when all is well, and shows the key unless it was given', async () => {
    const path = file('a.tgz', await filesOf());
    const output = await run(path);
    expect(output).toMatchObject({
      code: 0,
      said: expect.stringContaining(`Signed with the key ${SIGNER.key}: compare it`),
    });
    const tar = await unpackTar(gunzipSync(readFileSync(path)));
    const pem = file('keys.pem', tar.get('public-keys.pem') ?? '');
    expect(await run(path, '--key', pem)).toMatchObject({
      code: 0,
      said: expect.stringContaining('All is as it was signed.'),
    });
    const keys = file('keys.json', JSON.stringify({ keys: [{ public_key: readFileSync(pem, 'utf8') }] }));
    expect(await run(path, '--key', keys)).toMatchObject({ code: 0 });
  });

  it('runs as a program of its own', async () => {
    const program = join(__dirname, '../dist/package/main.js');
    const text = execFileSync(process.execPath, [program, file('d.tgz', await filesOf())], { encoding: 'utf8' });
    expect(text).toContain('All is as it was signed.');
    const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('Usage: verify-package FILE')]);
  });

  it('ends with 1 and names what is wrong, and obeys no character of others', async () => {
    const files = await unpackTar(gunzipSync(await filesOf()));
    files.set('\u001b[2Jevil', Buffer.from('x'));
    const path = file('b.tgz', gzipSync(await packTar(files)));
    const { code, said: text } = await run(path);
    expect(code).toBe(1);
    expect(text).toContain('WRONG ?[2Jevil: the manifest does not know it');
    expect(text).toContain('WRONG: 1 in all.');
  });

  it('ends with 2 when there is nothing to check, or the words are none', async () => {
    expect(await run(join(folder, 'nothing.tgz'))).toMatchObject({ code: 2 });
    expect(await run(folder)).toEqual({ code: 2, said: expect.stringMatching(/^It could not be checked: EISDIR/) });
    expect(await run()).toMatchObject({ code: 2, said: expect.stringContaining('Usage') });
    expect(await run('a', '--keys')).toMatchObject({ code: 2 });
    expect(await run(file('c.tgz', await filesOf()), '--key', file('no.pem', 'x'))).toMatchObject({ code: 2 });
  });
});
