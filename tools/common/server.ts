import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, type EngineOptions, engineOf } from '../engines/engines.ts';
import { isFree, untilReady } from '../engines/wait.ts';
import { until } from './api.ts';

/** How long to wait for its port (milliseconds). */
const FREE_MS = 30_000;

/** A server of an engine with its own data. It can be killed and restarted on its data. It ends when this process ends. */
export class Server {
  readonly engine: Engine;
  readonly name: string;
  readonly folder: string;
  readonly ports: readonly number[];
  readonly #options: EngineOptions;
  #child: ChildProcess | null = null;

  constructor(name: string, folder: string, ports: readonly number[], options: EngineOptions = {}) {
    this.engine = engineOf(name);
    this.name = name;
    this.folder = folder;
    this.ports = ports;
    this.#options = options;
    mkdirSync(folder, { recursive: true });
    process.once('exit', () => this.#child?.kill('SIGKILL'));
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get url(): string {
    return this.engine.url(this.ports, this.folder);
  }

  /** Starts it without waiting until it is ready. */
  async start(): Promise<void> {
    // The port of a killed JVM stays in use for a while.
    await until(() => isFree(this.ports[0] ?? 0), FREE_MS);
    const [command = '', ...args] = await this.engine.command(this.folder, this.ports, this.#options);
    const log = openSync(join(this.folder, 'server.out'), 'a');
    this.#child = spawn(command, args, { stdio: ['ignore', log, log], detached: true });
  }

  /** Waits until it answers requests. `ports`: all ports of its replica set. */
  ready(ports = this.ports): Promise<void> {
    return untilReady(
      () => this.engine.ready(ports, this.folder),
      () => (this.#ended ? `${this.name} ended, see ${this.folder}` : null),
    );
  }

  /** Kills it. Unlike in a power cut, the system still writes its buffers. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#child?.kill(signal);
    await this.ended;
  }

  /** Where it keeps its data. */
  get data(): string {
    return join(this.folder, 'data');
  }

  /** Kills it, puts a copy of its data in the place of the data, and starts it. */
  async restore(copy: string): Promise<void> {
    await this.kill();
    rmSync(this.data, { recursive: true });
    cpSync(copy, this.data, { recursive: true });
    await this.start();
    await this.ready();
  }

  /** When it has ended, or was never started. */
  get ended(): Promise<unknown> {
    return this.#child === null || this.#ended ? Promise.resolve() : once(this.#child, 'exit');
  }

  /** Lets it run after the end of this process. */
  leave(): void {
    this.#child?.unref();
    this.#child = null;
  }

  /** Suspends it with its connections open, as if the network dropped all packets. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Stops it at the end. */
  stop(): Promise<void> {
    this.thaw();
    return this.kill();
  }

  get #ended(): boolean {
    return this.#child !== null && (this.#child.exitCode !== null || this.#child.signalCode !== null);
  }
}
