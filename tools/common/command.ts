import { spawnSync, type SpawnSyncOptions } from 'node:child_process';

export interface Result {
  readonly ok: boolean;
  /** What the command printed: the standard output, and after a failure also the standard error or why it could not start. */
  readonly out: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export function run(command: string, args: readonly string[], options: SpawnSyncOptions = {}): Result {
  const how = { maxBuffer: 2 ** 26, ...options, encoding: 'utf8' as const };
  const { status, error, stdout, stderr } = spawnSync(command, args, how);
  if (error !== undefined) return { ok: false, out: error.message, stderr: error.message };
  return { ok: status === 0, out: `${stdout ?? ''}${status === 0 ? '' : (stderr ?? '')}`, stderr: stderr ?? '' };
}

/**
 * Runs a command that must succeed, and returns its standard output.
 *
 * @throws Error with what it printed
 */
export function must(command: string, args: readonly string[], options?: SpawnSyncOptions): string {
  const { ok, out } = run(command, args, options);
  if (!ok) throw new Error(`${command} ${args.join(' ')} failed:\n${out}`);
  return out;
}

/** Runs a command that must succeed, with its output on standard error. */
export function show(command: string, args: readonly string[], options: SpawnSyncOptions = {}): void {
  must(command, args, { ...options, stdio: ['ignore', 2, 2] });
}

/** The environment without settings of a service or a release, and without what the outer npm says about its own script. */
export const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(ASSURANCE_|MONGODB_URL$|KAFKA_BROKERS$|npm_|NODE_ENV$|CI$)/.test(name),
    ),
  );

/** Prints a sentence and ends the process with 1. */
export function stop(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

/** The message of whatever was thrown. */
export const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));
