import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { environment } from './command.ts';
import { root } from './root.ts';

const STOP_MS = 20_000;
const LISTENS = /\blistens on (\S+)\n/;

/** A process that serves. It is stopped where a scope has it with `await using`. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  /** Where operators are heard, if it said so. */
  readonly operations: string;
  /** What it printed until it listened. */
  readonly greeting: string;
  /** Ends it in order. */
  stop(): Promise<number | null>;
}

/** The folder of this tree's services. */
export const builtApps = join(root, 'apps');

export interface How {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stderr?: number | 'inherit';
  readonly cwd?: string;
}

/** Starts a Node process that says on its standard output where it listens: `listens on URL`. It ends when this one ends. */
export function startChild(args: readonly string[], how: How = {}): Promise<Child> {
  const child = spawn(process.execPath, args, options(how));
  return serving(child, (signal) => child.kill(signal));
}

/** Starts a built service with the options of `npm start`. `apps` is a folder of services of another commit. */
export const startService = (app: string, { env, ...how }: How, apps = builtApps): Promise<Child> =>
  startChild(['--max-semi-space-size=16', join(apps, app, 'dist/main.js')], {
    ...how,
    env: { MALLOC_MMAP_THRESHOLD_: '131072', ...env },
  });

/** Runs `npm start` of a folder in the same way. */
export const npmStart = (how: How): Promise<Child> => startGroup('npm', ['start'], how);

/** The key that the first start of a service prints. */
export const keyOf = ({ greeting }: Child): string | undefined => /API key[^]*?\n {4}(\S+)\n/.exec(greeting)?.[1];

/** Runs a command that serves in the same way. Its processes are a group, so that it and its children end together. */
export function startGroup(command: string, args: readonly string[], how: How): Promise<Child> {
  const child = spawn(command, args, { ...options(how), detached: true });
  return serving(child, (signal) => {
    try {
      process.kill(-(child.pid ?? 0), signal);
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault;
    }
  });
}

function options({ env = {}, stderr = 'inherit', cwd }: How) {
  return {
    cwd,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', stderr] as ['ignore', 'pipe', number | 'inherit'],
  };
}

async function serving(child: ChildProcess, signal: (name: NodeJS.Signals) => void): Promise<Child> {
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const kill = (): void => signal('SIGKILL');
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));
  const stop = async (): Promise<number | null> => {
    const late = setTimeout(kill, STOP_MS);
    if (child.exitCode === null && child.signalCode === null) signal('SIGTERM');
    const code = await ended;
    clearTimeout(late);
    return code;
  };
  try {
    const greeting = await listening(child, ended);
    const [url = '', operations = ''] = [LISTENS, /^ +operations +(\S+)$/m].map(
      (pattern) => pattern.exec(greeting)?.[1],
    );
    const dispose = async (): Promise<void> => void (await stop());
    return { pid: child.pid ?? 0, url, operations, greeting, stop, [Symbol.asyncDispose]: dispose };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

function listening(child: ChildProcess, ended: Promise<number | null>): Promise<string> {
  return new Promise((found, failed) => {
    let printed = '';
    child.once('error', failed);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-10_000);
      if (LISTENS.test(printed)) found(printed);
    });
    void ended.then((code) => failed(new Error(`${child.spawnargs.join(' ')} ended with ${code} before it listened`)));
  });
}
