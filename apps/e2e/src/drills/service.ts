import type { App } from '../support/services';
import type { Place, Process } from '../support/process';
import type { Settings } from '../support/running';

const TRIES = 3;
/** How long a stopped process may take (milliseconds). */
const STOP_MS = 20_000;

/** A built service that starts again where it listened before. */
export class Service {
  url = '';
  private process: Process | undefined;
  private port = '0';

  /** @param apps the folder of the programs; that of this release unless given */
  constructor(
    readonly name: App,
    private readonly place: Place,
    private settings: Settings,
    private readonly apps = '',
  ) {}

  /** @param settings further ones, which later starts have too */
  async start(settings: Settings = {}, apps = this.apps): Promise<void> {
    this.settings = { ...this.settings, ...settings };
    for (let tries = 1; this.process === undefined || !this.isRunning; tries += 1) {
      const own = { ASSURANCE_OPERATIONS_PORT: '0', ...this.settings, ASSURANCE_PORT: this.port };
      this.process = this.place.start(own, [], `${apps}${this.name}`);
      // Another connection may use the port for a moment.
      this.url = await this.process.url().catch((fault: unknown) => {
        if (tries === TRIES) throw fault;
        return '';
      });
    }
    this.port = new URL(this.url).port;
  }

  /** Runs an operation of it to its end. Throws what it prints, unless it succeeds. */
  async operate(operation: string): Promise<void> {
    const { port } = new URL(this.operationsUrl);
    const command = this.place.start({ ...this.settings, ASSURANCE_OPERATIONS_PORT: port }, [], 'operate', [operation]);
    if ((await command.ended) !== 0) throw new Error(`${operation}: ${command.out}${command.err}`);
  }

  /** Where it answers probes and operators. */
  get operationsUrl(): string {
    const [, url = ''] = / operations +(http:\S+)\n/.exec(this.process?.out ?? '') ?? [];
    return url;
  }

  /** Whether it runs since its start. */
  get isRunning(): boolean {
    return this.process?.child.exitCode === null && this.process.child.signalCode === null;
  }

  /** What it logged since its start, the end of it. */
  get log(): string {
    return `${this.name}: ${this.process?.err.slice(-5_000)}`;
  }

  async kill(): Promise<void> {
    await this.process?.kill();
  }

  /** Asks it to end, and kills it when it has not ended in time, as supervisors do. */
  async stop(): Promise<void> {
    const late = setTimeout(() => void this.kill(), STOP_MS);
    await this.process?.stop();
    clearTimeout(late);
  }
}
