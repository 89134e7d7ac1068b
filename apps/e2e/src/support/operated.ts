import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditPackage } from '@assurance/audit-package-role';
import { gateway } from '@assurance/gateway-role';
import { ingestion } from '@assurance/ingestion-role';
import { notificationDispatcher } from '@assurance/notification-role';
import { projection } from '@assurance/projection-role';
import type { Outcome } from '@assurance/http';
import { serve } from '@assurance/runtime';
import { openEmbedded } from '@assurance/storage-sqlite';
import { loosen } from '@assurance/testing-loose';
import type { Engines } from '@assurance/storage-ports';
import Database from 'libsql';
import { BOOTSTRAP } from './declared';
import { Operator } from './operator';
import { seeded } from './seeded';
import { type World, worldOf } from './world';

/** A service with its operations and its storage at hand. */
export interface Operated {
  readonly world: World;
  /**
   * Runs an operation to its end, as an operator does.
   *
   * @throws Error with the sentence that refused it
   */
  readonly operate: (name: string, ...words: readonly string[]) => Promise<Outcome>;
  /** As they are, not loosened. */
  readonly engines: Engines;
  /** The SQLite file. */
  readonly file: string;
  /** What it logged of errors so far. */
  readonly faults: string[];
  stop(): Promise<void>;
}

/** Runs scenarios on the embedded and on the loose engine, each on a service of its own. */
export function onEveryEngine(scenarios: (operated: () => Operated) => void): void {
  describe.each(['embedded', 'loose'] as const)('on the %s engine', (name) => {
    let operated: Operated | undefined;
    beforeAll(async () => {
      operated = await startOperated(name);
    }, 90_000);
    afterAll(async () => {
      await operated?.stop();
      expect(operated?.faults).toEqual([]);
    }, 90_000);
    scenarios(() => {
      if (operated === undefined) throw new Error('the service did not start');
      return operated;
    });
  });
}

async function startOperated(engine: 'embedded' | 'loose'): Promise<Operated> {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-e2e-'));
  const bootstrap = join(folder, 'bootstrap.yaml');
  writeFileSync(bootstrap, BOOTSTRAP);
  const faults: string[] = [];
  const data = join(folder, 'data');
  const engines = await openEmbedded({
    folder: data,
    now: () => Date.now(),
    random: (bytes) => randomBytes(bytes),
    onFault: (fault) => faults.push(String(fault)),
  });
  const served = await serve([gateway, ingestion, projection, notificationDispatcher, auditPackage], {
    env: {
      ASSURANCE_PORT: '0',
      ASSURANCE_DATA_DIR: data,
      ASSURANCE_BOOTSTRAP_FILE: bootstrap,
      ASSURANCE_LOG_LEVEL: 'error',
    },
    engines: engine === 'loose' ? loosen(engines, { random: seeded(11) }) : engines,
    log: { write: (line) => faults.push(line) },
    onFault: (fault) => faults.push(String(fault)),
  });
  const operator = new Operator(served.operations);
  return {
    world: { ...(await worldOf(served)), operator },
    operate: async (name, ...words) => {
      const { outcome, error } = await operator.run(name, ...words);
      if (outcome === null) throw new Error(error ?? `${name} did not end`);
      return outcome;
    },
    engines,
    file: join(data, 'assurance.db'),
    faults,
    stop: async () => {
      await served.close();
      await engines.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Reads or changes the file itself, as no code of the service would. */
export function inFile<T>(file: string, act: (db: InstanceType<typeof Database>) => T): T {
  const db = new Database(file);
  try {
    db.exec('PRAGMA busy_timeout = 5000');
    return act(db);
  } finally {
    db.close();
  }
}
