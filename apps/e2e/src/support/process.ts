import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { closeConnections } from './exchange';

const APPS = resolve(__dirname, '../../..');
/** Where Node keeps what it compiled, if it does: `.ci/run` says so. */
const { NODE_COMPILE_CACHE } = process.env;
const COMPILED = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** A built service as a process of its own. */
export class Process {
  out = '';
  err = '';
  /** Its exit code, null when a signal ended it. */
  readonly ended: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (piece: Buffer) => (this.out += piece.toString()));
    child.stderr?.on('data', (piece: Buffer) => (this.err += piece.toString()));
    this.ended = once(child, 'close').then(([code]) => code as number | null);
  }

  /** The address that it greets with; throws when it ends before it listens. */
  async url(): Promise<string> {
    const greeted = new Promise<string>((greet) => {
      const look = () => {
        const [, url] = /listens on (\S+)\n/.exec(this.out) ?? [];
        if (url !== undefined) greet(url);
      };
      this.child.stdout?.on('data', look);
      look();
    });
    const early = this.ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${this.err}`)));
    return Promise.race([greeted, early]);
  }

  /** Ends it like a power failure. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Asks it to end, and returns its exit code. */
  async stop(): Promise<number | null> {
    closeConnections();
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

/** A data folder, and the processes that a test starts on it. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), 'assurance-process-'));
  private readonly started: Process[] = [];

  /**
   * Throws when the service was not built.
   *
   * @param through a command with its arguments that runs the service, as `unshare` does
   * @param app which one
   * @param words its command line arguments
   */
  start(
    env: Readonly<Record<string, string>> = {},
    through: readonly string[] = [],
    app = 'standalone',
    words: readonly string[] = [],
  ): Process {
    const main = join(APPS, app, 'dist/main.js');
    if (!existsSync(main)) throw new Error(`${main} is not there: run \`npm run build\``);
    const [command = '', ...args] = [...through, process.execPath, main, ...words];
    const child = spawn(command, args, {
      env: {
        PATH: process.env['PATH'] ?? '',
        ...COMPILED,
        ASSURANCE_PORT: '0',
        ASSURANCE_DATA_DIR: join(this.folder, 'data'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = new Process(child);
    this.started.push(started);
    return started;
  }

  /** Writes a file beside the data, and returns its path. */
  write(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  async clear(): Promise<void> {
    for (const { child } of this.started) if (child.exitCode === null) child.kill('SIGKILL');
    await Promise.all(this.started.map(({ ended }) => ended));
    rmSync(this.folder, { recursive: true });
  }
}
