import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../../../..');
/** The variable with the paths of commands, and of folders that have definitions of custom resources, as JSON. The setup of the project sets it. */
export const TOOLS = 'ASSURANCE_TEST_DEPLOY';

interface Tools {
  readonly helm: string;
  readonly promtool: string;
  readonly validator: string;
  readonly definitions: readonly string[];
}

/** @throws Error without the setup of Jest's project `deploy` */
export const tools = (): Tools => JSON.parse(process.env[TOOLS] ?? '') as Tools;

/** The text of a file of the repository. */
export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

export interface Result {
  readonly ok: boolean;
  /** What the command printed, or why it could not start. */
  readonly out: string;
}

/** Runs a command to its end. */
export function run(command: string, args: readonly string[], env = process.env): Result {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, env, encoding: 'utf8' });
  return { ok: status === 0, out: error?.message ?? `${stdout}${status === 0 ? '' : stderr}` };
}

/** The words of a documented command as a shell splits them. */
export const wordsOf = (command: string): readonly string[] =>
  run('bash', ['-c', `printf '%s\\0' ${command}`])
    .out.split('\0')
    .slice(0, -1);
