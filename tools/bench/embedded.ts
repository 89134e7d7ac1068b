import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { first, until } from '../common/api.ts';
import { setEmbedded, type Stage } from '../common/stage.ts';

const SETTLED_MS = 1_800_000;

/** A service that is measured. */
export interface Measured extends Stage {
  readonly url: string;
  readonly pid: number;
  /** Waits until every view has processed every commit. */
  settled(): Promise<void>;
}

export interface Embedded extends Measured {
  /** The file of commits. */
  readonly file: string;
}

/** Starts a built service as `npm start` does, on a free port with a new data folder. `apps` is a folder of services of another commit. */
export async function startEmbedded(apps?: string): Promise<Embedded> {
  const stage = await setEmbedded(apps);
  const file = join(stage.folder, 'data/assurance.db');
  const { url, pid } = first(stage.gateway);
  return { ...stage, url, pid, file, settled: () => settled(file, join(stage.folder, 'data/derived.db')) };
}

async function settled(file: string, derived: string): Promise<void> {
  await readFrom(file, async (db) => {
    db.exec(`ATTACH '${derived}' AS derived`);
    const newest = '(SELECT max(position) FROM commits)';
    const behind = db.prepare(`SELECT count(*) AS many FROM derived.positions WHERE position < ${newest}`);
    if (await until(() => behind.get()?.['many'] === 0, SETTLED_MS, 10)) return;
    throw new Error('the views did not take all commits in half an hour');
  });
}

/** Opens a file of the service, reads from it and closes it. */
export async function readFrom<T>(file: string, use: (db: DatabaseSync) => T | Promise<T>): Promise<T> {
  using db = new DatabaseSync(file, { readOnly: true });
  return await use(db);
}
