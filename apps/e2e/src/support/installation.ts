import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditPackage } from '@assurance/audit-package/role';
import { gateway } from '@assurance/gateway/role';
import { ingestion } from '@assurance/ingestion/role';
import { notificationDispatcher } from '@assurance/notification-dispatcher/role';
import { projection } from '@assurance/projection/role';
import { serve, type Served } from '@assurance/runtime';
import type { Engines } from '@assurance/storage-ports';
import { openEmbedded } from '@assurance/storage-sqlite';
import { BOOTSTRAP } from './declared';
import { Operator } from './operator';
import type { Settings } from './running';

/** All there are. */
export const ROLES = [gateway, ingestion, projection, notificationDispatcher, auditPackage] as const;

/** Roles that run, and who keeps them. */
export interface RunningRoles extends Served {
  readonly operator: Operator;
}

/** A folder with data and a bootstrap file, and the roles that run on it in this process: what was stopped starts again on the same data. */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), 'assurance-e2e-'));
  readonly data = join(this.folder, 'data');
  /** The SQLite file of commits. */
  readonly file = join(this.data, 'assurance.db');
  /** The lines that it logged so far: of errors alone, unless settings say otherwise. */
  readonly log: string[] = [];
  private readonly bootstrap = join(this.folder, 'bootstrap.yaml');
  private readonly started: Served[] = [];
  /** The engines that the test opened, and the engines that roles get. */
  private opened: Engines | undefined;
  private engines: Engines | undefined;

  /**
   * @param settings environment variables of every start, beside those that it sets itself
   * @param now what its clock shows
   */
  constructor(
    private readonly settings: Settings = {},
    private readonly now: () => number = () => Date.now(),
  ) {
    writeFileSync(this.bootstrap, BOOTSTRAP);
  }

  /**
   * Opens the embedded engine on its data for the test itself; it stays open until the end, and all that starts from now on runs on it.
   *
   * @param own what roles have of it
   * @returns the engine as it is
   */
  async open(own: (engines: Engines) => Engines = (engines) => engines): Promise<Engines> {
    this.opened = await openEmbedded({
      folder: this.data,
      now: this.now,
      random: (bytes) => randomBytes(bytes),
      onFault: (fault) => this.log.push(String(fault)),
    });
    this.engines = own(this.opened);
    return this.opened;
  }

  /** Starts roles: all of them, unless given. */
  async start(settings: Settings = {}, roles: Parameters<typeof serve>[0] = ROLES): Promise<RunningRoles> {
    const served = await serve(roles, {
      env: {
        ASSURANCE_PORT: '0',
        ASSURANCE_DATA_DIR: this.data,
        ASSURANCE_BOOTSTRAP_FILE: this.bootstrap,
        ASSURANCE_LOG_LEVEL: 'error',
        ...this.settings,
        ...settings,
      },
      engines: this.engines,
      now: this.now,
      log: { write: (line) => this.log.push(line) },
    });
    this.started.push(served);
    // The service logs it.
    void served.lost.then((why) => this.log.push(String(why)));
    return { ...served, operator: new Operator(served.operations) };
  }

  /** Stops what it started, the last first. */
  async stop(): Promise<void> {
    for (const served of this.started.splice(0).reverse()) await served.close();
  }

  /** Starts all roles, and stops them when what is done with them is done. */
  async running<T>(use: (started: RunningRoles) => Promise<T>, settings?: Settings): Promise<T> {
    try {
      return await use(await this.start(settings));
    } finally {
      await this.stop();
    }
  }

  /** Stops, and removes the folder. */
  async clear(): Promise<void> {
    await this.stop();
    await this.opened?.close();
    rmSync(this.folder, { recursive: true });
  }
}
