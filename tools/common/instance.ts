import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from './child.ts';
import { root } from './root.ts';

/** The folder `apps` of this release. */
export const apps = join(root, 'apps');
/** Options of Node in `npm start`, and the setting of malloc there. */
const OPTIONS = ['--max-semi-space-size=16'];
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '131072' };
const TRIES = 3;

export type Program = (role: string) => readonly string[];
/** The built services of a release. */
export const programOf =
  (folder = apps): Program =>
  (role) => [...OPTIONS, join(folder, role, 'dist/main.js')];

/** One instance of a built service. It can be killed and restarted on the same ports. */
export class Instance {
  readonly role: string;
  settings: Readonly<Record<string, string>>;
  #program: readonly string[];
  readonly #log: string;
  #child: Child | null = null;

  constructor(role: string, folder: string, env: Readonly<Record<string, string>>, program: Program = programOf()) {
    this.role = role;
    this.settings = { ...MALLOC, ...env, ASSURANCE_PORT: '0', ASSURANCE_OPERATIONS_PORT: '0' };
    this.#program = program(role);
    this.#log = join(folder, 'services.log');
  }

  /** The process, as it was started last. */
  get child(): Child {
    if (this.#child === null) throw new Error(`${this.role} was not started`);
    return this.#child;
  }

  get url(): string {
    return this.child.url;
  }

  get pid(): number {
    return this.child.pid;
  }

  /** Starts it, the first time on free ports, later on the same ones. */
  async start(): Promise<void> {
    const main = this.#program.find((arg) => !arg.startsWith('-')) ?? '';
    if (!existsSync(main)) throw new Error(`${main} does not exist: run npm run build`);
    for (let tries = 1; ; tries += 1) {
      try {
        this.#child = await startChild(this.#program, { env: this.settings, stderr: openSync(this.#log, 'a') });
        break;
      } catch (fault) {
        // Another connection may use the port for a moment.
        if (tries === TRIES) throw fault;
      }
    }
    const { port } = new URL(this.child.url);
    const { port: operations } = new URL(this.child.operations);
    this.settings = { ...this.settings, ASSURANCE_PORT: port, ASSURANCE_OPERATIONS_PORT: operations };
  }

  /** Kills it (SIGKILL). */
  async kill(): Promise<void> {
    process.kill(this.pid, 'SIGKILL');
    await this.child.stop();
  }

  /** Stops it (SIGTERM), and starts another program in its place. */
  async replace(program: Program): Promise<void> {
    await this.stop();
    this.#program = program(this.role);
    await this.start();
  }

  /** Whether it runs, from its first start or after a restart. */
  lives(): Promise<boolean> {
    return fetch(`${this.child.operations}/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async stop(): Promise<void> {
    await this.#child?.stop();
  }
}
