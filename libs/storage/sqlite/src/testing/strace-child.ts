import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const CHILD = join(__dirname, '../../dist/testing/child.js');
const FILES = ['', '-journal', '-wal', '-shm'].map((end) => `assurance.db${end}`);

/** For specs: the output of a traced process, and the trace. */
export interface Traced {
  readonly lines: readonly string[];
  readonly trace: readonly string[];
}

/**
 * For specs: runs a process under strace that appends a few commits in a folder. Rejects if strace is missing.
 *
 * @param log where the trace goes
 * @param calls names of system calls
 * @param inject what is done to one such call on the database's files, in the syntax of `strace -e inject=`; null: nothing
 */
export async function traceFew(
  folder: string,
  log: string,
  calls: readonly string[],
  inject: string | null,
): Promise<Traced> {
  const options = ['-f', '--seccomp-bpf', '-y', '-o', log, '-e', `trace=${calls.join(',')}`];
  if (inject !== null) options.push('-e', `inject=${inject}`, ...FILES.flatMap((file) => ['-P', join(folder, file)]));
  const child = spawn('strace', [...options, process.execPath, CHILD, folder, 'few'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  await once(child, 'close');
  return { lines: text.split('\n').slice(0, -1), trace: (await readFile(log, 'utf8')).split('\n') };
}
