import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Outcome } from '@assurance/event-sourcing/operation';
import type { Engines } from '@assurance/storage-ports';
import { loosen } from '@assurance/testing/loose/loosen';
import { Installation } from './installation';
import { seededRandom } from './seeded';
import { type World, worldOf } from './world';

/** A service with its operations and its storage at hand. */
export interface OperatedService {
  readonly world: World;
  /**
   * Runs an operation to its end, as an operator does.
   *
   * @throws Error with the sentence that refused it
   */
  readonly operate: (name: string, ...words: readonly string[]) => Promise<Outcome>;
  /** As they are, not loosened. */
  readonly engines: Engines;
  /** The SQLite file of commits. */
  readonly file: string;
  /** The errors that it has logged. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

/** Runs scenarios on the embedded and on the loose engine, each on a service of its own. */
export function onEveryEngine(scenarios: (operated: () => OperatedService) => void): void {
  describe.each(['embedded', 'loose'] as const)('on the %s engine', (name) => {
    let operated: OperatedService | undefined;
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

async function startOperated(engine: 'embedded' | 'loose'): Promise<OperatedService> {
  const installation = new Installation();
  const engines = await installation.open((own) =>
    engine === 'loose' ? loosen(own, { random: seededRandom(11) }) : own,
  );
  const { url, operator } = await installation.start();
  return {
    world: { ...(await worldOf({ url })), operator },
    operate: async (name, ...words) => {
      const { outcome, error } = await operator.run(name, ...words);
      if (outcome === null) throw new Error(error ?? `${name} did not end`);
      return outcome;
    },
    engines,
    file: installation.file,
    faults: installation.log,
    stop: () => installation.clear(),
  };
}

/** Reads or changes the two files of a data folder, as no code of the service would. The view `tables` has the names of all tables. */
export function inFile<T>(file: string, act: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file);
  try {
    db.exec(`
      PRAGMA busy_timeout = 5000;
      ATTACH '${join(dirname(file), 'derived.db')}' AS derived;
      CREATE TEMP VIEW tables AS
        SELECT name FROM main.sqlite_master WHERE type = 'table'
        UNION ALL SELECT name FROM derived.sqlite_master WHERE type = 'table';
    `);
    return act(db);
  } finally {
    db.close();
  }
}
