import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverSource } from './server';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const AT = 1_793_613_600;

describe('the report of a machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-server-'));
  const app = join(folder, 'app');
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };

  beforeAll(() => {
    write('app/bin/shop', 'binary');
    write('app/logs/today.log', 'log');
    write('app/top.log', 'log');
    write('shop.jar', 'jar');
    symlinkSync('bin', join(app, 'current'));
    symlinkSync('bin/shop', join(app, 'start'));
    symlinkSync('app', join(folder, 'live'));
    for (const name of ['app', 'shop.jar']) utimesSync(join(folder, name), AT, AT);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const none = { paths: [], exclude: [], artifacts: [] };
  const digestWithout = async (...exclude: string[]) => {
    const { artifacts } = await serverSource({ ...none, paths: [app], exclude }).collect();
    return artifacts[0]?.digests[app];
  };
  const names = (...all: string[]) => sha256(all.join(''));
  const BIN = [sha256('bin'), sha256('shop'), sha256('binary')];
  const LINKS = [sha256('current'), sha256('bin')];
  const START = [sha256('start'), sha256('binary')];
  const LOGS = [sha256('logs'), sha256('today.log'), sha256('log')];
  const TOP = [sha256('top.log'), sha256('log')];

  it('has files, and folders by the digests of their names and contents in order', async () => {
    const report = await serverSource({ ...none, paths: [join(folder, 'shop.*'), app] }).collect();
    expect(report).toEqual({
      artifacts: [
        { digests: { [app]: names(...BIN, ...LINKS, ...LOGS, ...START, ...TOP) }, creationTimestamp: AT },
        { digests: { [join(folder, 'shop.jar')]: sha256('jar') }, creationTimestamp: AT },
      ],
    });
  });

  it('leaves out what patterns name', async () => {
    expect(await digestWithout('logs')).toBe(names(...BIN, ...LINKS, ...START, ...TOP));
    expect(await digestWithout('logs/*')).toBe(names(...BIN, ...LINKS, sha256('logs'), ...START, ...TOP));
    expect(await digestWithout('**/*.log')).toBe(names(...BIN, ...LINKS, sha256('logs'), ...START));
    // The published command line does the same: a plain name after `**/` is not found at the top.
    expect(await digestWithout('**/today.log', '**/top.log')).toBe(
      names(...BIN, ...LINKS, sha256('logs'), ...START, ...TOP),
    );
    expect(await digestWithout('../app', '/logs', '[lt]o[g-p]*')).toBe(names(...BIN, ...LINKS, ...START));
    await expect(digestWithout('[a')).rejects.toThrow('[a is not a pattern');
  });

  it('reads the ignore file of a folder, and gives an artifact the name of the configuration', async () => {
    write('app/.kosli_ignore', '# logs\nlogs # all\n**/*.log\n');
    const text = '# logs\nlogs # all\n**/*.log\n';
    const artifacts = [{ name: 'shop', path: join(folder, 'live'), exclude: [] }];
    const report = await serverSource({ ...none, artifacts }).collect();
    expect(report.artifacts[0]?.digests).toEqual({
      shop: names(sha256('.kosli_ignore'), sha256(text), ...BIN, ...LINKS, ...START),
    });
  });

  it('has files whose names are not UTF-8, in the order of their bytes', async () => {
    const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
    write('odd/café', 'utf-8');
    writeFileSync(Buffer.concat([Buffer.from(`${join(folder, 'odd')}/`), latin]), 'latin-1');
    write('odd/z', 'z');
    const odd = join(folder, 'odd');
    const digestOf = async (...exclude: string[]) =>
      (await serverSource({ ...none, paths: [odd], exclude }).collect()).artifacts[0]?.digests[odd];
    const nameOf = (name: Buffer) => createHash('sha256').update(name).digest('hex');
    const ofLatin = [nameOf(latin), sha256('latin-1')];
    const last = [sha256('z'), sha256('z')];
    expect(await digestOf()).toBe(names(sha256('café'), sha256('utf-8'), ...ofLatin, ...last));
    expect(await digestOf('caf*')).toBe(names(...last));
    expect(await digestOf('café')).toBe(names(...ofLatin, ...last));
  });

  it('fails when a path is not there or cannot be read', async () => {
    await expect(serverSource({ ...none, paths: [app, join(folder, 'no*')] }).collect()).rejects.toThrow(
      'No file or folder matches',
    );
    symlinkSync('nowhere', join(app, 'dangling'));
    await expect(serverSource({ ...none, paths: [app] }).collect()).rejects.toThrow('dangling');
  });
});
