import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

const BUILT = join(__dirname, '../../dist/archive/archive-file.js');
const PROGRAM = `
  const [, path] = process.argv;
  async function* content() { yield Buffer.from('all of it'); }
  require(${JSON.stringify(BUILT)}).writeArchiveFile(path, 'aside', content(), new AbortController().signal)
    .then(({ size }) => console.log('written', size), ({ code }) => console.log('refused', code));
`;

describe('an archive on a file system', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'assurance-archive-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Writes an archive in a process in which these system calls fail. */
  async function write(path: string, faults: readonly string[]): Promise<string> {
    const inject = faults.flatMap((fault) => ['-e', `inject=${fault}`]);
    const options = ['-f', '-qq', '-o', join(folder, 'trace'), ...inject, process.execPath, '-e', PROGRAM, path];
    const { stdout } = await promisify(execFile)('strace', options);
    rmSync(join(folder, 'trace'));
    return stdout.trim();
  }

  const NO_LINKS = 'link,linkat:error=EPERM';
  it.each([
    ['with hard links', []],
    ['without hard links', [NO_LINKS]],
    ['without hard links and renames', [NO_LINKS, 'rename,renameat,renameat2:error=ENOSYS']],
  ])('%s is complete, and replaces nothing', async (_, faults) => {
    const path = join(folder, 'a.archive');
    expect(await write(path, faults)).toMatch(/^written \d+$/);
    expect(gunzipSync(readFileSync(path)).toString()).toBe('all of it');
    expect(readdirSync(folder)).toEqual(['a.archive']);
    writeFileSync(path, 'of another');
    expect(await write(path, faults)).toBe('refused EEXIST');
    expect(readFileSync(path, 'utf8')).toBe('of another');
    expect(readdirSync(folder)).toEqual(['a.archive']);
  });
});
