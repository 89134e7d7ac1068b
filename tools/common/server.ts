import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, type EngineOptions, engineOf } from '../engines/engines.ts';
import { isFree, untilReady } from '../engines/wait.ts';
import { until } from './api.ts';

/** How long to wait for a port (milliseconds). */
const FREE_MS = 30_000;

/** A server of an engine with its own data, in one or more processes. It can be killed and restarted on its data. It ends when this process ends. */
export class Server {
  readonly engine: Engine;
  readonly folder: string;
  readonly ports: readonly number[];
  readonly #options: EngineOptions;
  #children: ChildProcess[] = [];

  constructor(name: string, folder: string, ports: readonly number[], options: EngineOptions = {}) {
    this.engine = engineOf(name);
    this.folder = folder;
    this.ports = ports;
    this.#options = options;
    mkdirSync(folder, { recursive: true });
    process.once('exit', () => this.#signal('SIGKILL'));
  }

  /** Of the first process. */
  get pid(): number {
    return this.#children[0]?.pid ?? 0;
  }

  get url(): string {
    return this.engine.url(this.ports, this.folder);
  }

  /** Environment variables of a service beside the URL. */
  get settings(): Readonly<Record<string, string>> {
    return this.engine.settings(this.ports, this.folder);
  }

  /** Whether one of its processes has ended. */
  get isBroken(): boolean {
    return this.#children.some(hasEnded);
  }

  /** Starts what does not run, without waiting until it is ready. */
  async start(): Promise<void> {
    const commands = await this.engine.commands(this.folder, this.ports, this.#options);
    const log = openSync(join(this.folder, 'server.out'), 'a');
    for (const [i, [command = '', ...args]] of commands.entries()) {
      const running = this.#children[i];
      if (running !== undefined && !hasEnded(running)) continue;
      // The port of a killed JVM stays in use for a while.
      await until(() => isFree(this.ports[i] ?? 0), FREE_MS);
      this.#children[i] = spawn(command, args, { stdio: ['ignore', log, log], detached: true });
    }
  }

  /** Waits until it answers requests. */
  ready(): Promise<void> {
    return untilReady(
      () => this.engine.ready(this.ports, this.folder),
      () => (this.isBroken ? `it ended, see ${this.folder}` : null),
    );
  }

  /** Kills it. Unlike in a power cut, the system still writes its buffers. */
  async kill(): Promise<void> {
    const ended = this.#children.filter((child) => !hasEnded(child)).map((child) => once(child, 'exit'));
    this.#signal('SIGKILL');
    await Promise.all(ended);
  }

  /** Lets it run after the end of this process. */
  leave(): void {
    for (const child of this.#children.splice(0)) child.unref();
  }

  #signal(name: NodeJS.Signals): void {
    for (const child of this.#children) child.kill(name);
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
