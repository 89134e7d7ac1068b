import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declared } from '../declared';
import { inThisProcess } from '../in-this-process';
import type { DeploymentName, RunningService, Settings } from '../running';

/** Organizations of one start: enough for the files of a worker. A start costs 2.4 s of CPU time, each organization 0.13 s more. All names have one length: none is a part of another, so answers can be translated. */
const NAMES = Array.from({ length: 30 }, (_, i) => `org-of-file-${String(i).padStart(2, '0')}`);

/** Services of one deployment that spec files use one after the other, each in an organization of its own. */
export class SharedServices {
  private readonly folder = mkdtempSync(join(tmpdir(), 'assurance-shared-'));
  private running: RunningService | undefined;
  private unused: string[] = [];
  /** Whether a file uses them now. */
  private used = false;
  /** How many of the errors of the running services files have received. */
  private told = 0;
  private readonly untold: string[] = [];

  constructor(
    private readonly deployment: DeploymentName,
    private readonly settings: Settings,
  ) {}

  /** The services with an organization that no file has used. `stop` leaves them running; `faults` returns the faults that no file has received. */
  async start(): Promise<RunningService> {
    if (this.unused.length === 0) {
      await this.stop();
      this.running = await this.started();
      this.unused = [...NAMES];
    }
    const { running } = this;
    if (running === undefined) throw new Error('there are organizations, but no services');
    const faults: string[] = [];
    this.used = true;
    return {
      ...running,
      org: this.unused.shift(),
      faults,
      stop: () => {
        this.used = false;
        faults.push(...running.faults.slice(this.told));
        this.told = running.faults.length;
        return Promise.resolve();
      },
    };
  }

  /** Stops the services unless a file uses them. The next file gets new ones. */
  async rest(): Promise<void> {
    if (this.used) return;
    this.unused = [];
    await this.stop();
  }

  /** Stops the services. @returns the errors that no file has received */
  async close(): Promise<readonly string[]> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
    return this.untold;
  }

  private async stop(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    await running?.stop();
    this.untold.push(...(running?.faults.slice(this.told) ?? []));
    this.told = 0;
  }

  private started(): Promise<RunningService> {
    const bootstrap = join(this.folder, 'bootstrap.yaml');
    writeFileSync(bootstrap, declared(...NAMES));
    const settings = { ...this.settings, ASSURANCE_BOOTSTRAP_FILE: bootstrap };
    return inThisProcess().START[this.deployment](settings);
  }
}
