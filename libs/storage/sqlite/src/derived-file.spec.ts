import { randomBytes } from 'node:crypto';
import { copyFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CollectionDefinition, Commit } from '@assurance/storage-ports';
import { appendAll, makeStream } from '@assurance/testing/conformance/harness';
import { adoptRows } from './adopt-rows';
import { Connection } from './connection';
import type { EmbeddedEngines } from './open-embedded';
import { prepareFile } from './schema';
import { openOn, temporaryFolder } from './testing/open-temporary';

const rows: CollectionDefinition<{ readonly n: number }> = {
  name: 'rows',
  deferred: 'first',
  indexes: [{ name: 'by_n', fields: [['n', 'asc']] }],
};
const lasting: CollectionDefinition<{ readonly n: number }> = { name: 'lasting', indexes: [] };
const GROUP = 'group';
const MANY = 3_000;

describe('the file of derived documents', () => {
  let folder: string;
  let engines: EmbeddedEngines;
  const derived = () => join(folder, 'derived.db');
  const events = () => join(folder, 'assurance.db');
  const commits = makeStream(Array.from({ length: 30 }, () => ({})));

  /** Consumes until the group has all commits, and returns their ids. */
  const followed = async (): Promise<string[]> => {
    const ids: string[] = [];
    const take = (batch: readonly Commit[]) => Promise.resolve(void ids.push(...batch.map(({ id }) => id)));
    const consumer = await engines.feed.consume(GROUP, take, { maxBatch: 100 });
    while ((await consumer.lag()) > 0) await new Promise((resolve) => setImmediate(resolve));
    await consumer.stop();
    return ids;
  };
  const all = commits.map(({ id }) => id);

  beforeEach(async () => {
    folder = await temporaryFolder();
    engines = await openOn(folder);
    await appendAll(engines.events, commits);
    const puts = Array.from({ length: MANY }, (_, n) => ({ kind: 'put', id: `${n}`, doc: { n } }) as const);
    await engines.documents.collection(rows).write(puts);
    await engines.documents.collection(lasting).write([{ kind: 'put', id: 'a', doc: { n: 1 } }]);
    expect(await followed()).toEqual(all);
    await engines.close();
  });
  afterEach(async () => {
    await engines.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('holds deferred documents and positions, the other file all else', async () => {
    const tables = (file: string) => {
      const db = new DatabaseSync(file, { readOnly: true });
      const names = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`).all();
      db.close();
      return names.map(({ name }) => name).sort();
    };
    expect(tables(derived())).toEqual(['documents_rows', 'positions']);
    expect(tables(events())).toEqual(['commits', 'data', 'data_chunks', 'documents_lasting']);
    engines = await openOn(folder);
    expect(engines.restoring).toBeNull();
    expect(await followed()).toEqual([]);
  });

  const damages: readonly (readonly [name: string, damage: () => Promise<unknown>])[] = [
    ['is missing', () => rm(derived())],
    ['is cut short', async () => truncate(derived(), Math.floor((await stat(derived())).size / 2))],
    ['is empty', () => truncate(derived(), 0)],
    ['is no database', () => writeFile(derived(), randomBytes(10_000))],
  ];
  it.each(damages)('is made anew where it %s, and the feed delivers all commits again', async (_, damage) => {
    await damage();
    engines = await openOn(folder);
    expect(engines.restoring).toContain('file of derived documents');
    expect(await engines.documents.collection(rows).count({ n: { gte: 0 } })).toBe(0);
    expect(await engines.documents.collection(lasting).get('a')).toEqual({ n: 1 });
    expect(await followed()).toEqual(all);
    await engines.close();
    // A restore may be interrupted.
    engines = await openOn(folder);
    expect(engines.restoring).not.toBeNull();
    await engines.restored();
    await engines.close();
    engines = await openOn(folder);
    expect(engines.restoring).toBeNull();
    expect(await followed()).toEqual([]);
  });

  it('is made anew after damage that shows only while it is used', async () => {
    // The header stays valid, but the pages behind it hold no tables.
    const file = await readFile(derived());
    await writeFile(derived(), Buffer.concat([file.subarray(0, 4_096), randomBytes(file.length - 4_096)]));
    const faults: unknown[] = [];
    engines = await openOn(folder, undefined, (fault) => faults.push(fault));
    const put = (n: number) => ({ kind: 'put', id: `${n} again`, doc: { n } }) as const;
    await expect(
      (async () => {
        await engines.documents.collection(rows).write(Array.from({ length: MANY }, (_, n) => put(n)));
        await engines.documents.persist();
      })(),
    ).rejects.toThrow();
    while ((await engines.problems()).length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(faults).not.toEqual([]);
    await engines.close();
    engines = await openOn(folder);
    expect(engines.restoring).not.toBeNull();
    expect(await followed()).toEqual(all);
  });

  it('is made anew where its positions are those of other commits', async () => {
    await copyFile(events(), join(folder, 'before.db'));
    engines = await openOn(folder);
    await appendAll(engines.events, makeStream([{}, {}]));
    await followed();
    await engines.close();
    await copyFile(join(folder, 'before.db'), events());
    engines = await openOn(folder);
    expect(engines.restoring).toContain('it belongs to other commits');
    expect(await followed()).toEqual(all);
    const others = makeStream([{}, {}]);
    await appendAll(engines.events, others);
    await followed();
    await engines.restored();
    await engines.close();
    engines = await openOn(folder);
    expect(engines.restoring).toBeNull();
  });

  it('goes on with what is whole of a WAL that was cut short', async () => {
    engines = await openOn(folder);
    const more = makeStream([{}, {}, {}]);
    for (const commit of more) {
      await appendAll(engines.events, [commit]);
      await followed();
      await engines.documents.persist();
    }
    const copy = join(folder, 'copy');
    await engines.backup(copy, [], () => undefined, new AbortController().signal);
    const wal = await readFile(`${derived()}-wal`);
    await engines.close();
    await writeFile(join(copy, 'derived.db-wal'), wal.subarray(0, Math.floor(wal.length / 2)));
    await copyFile(derived(), join(copy, 'derived.db'));
    engines = await openOn(copy);
    const again = await followed();
    expect(more.map(({ id }) => id).slice(more.length - again.length)).toEqual(again);
  });

  describe('in a folder that an older release wrote, with one file', () => {
    beforeEach(async () => {
      const db = new DatabaseSync(events());
      db.exec(`ATTACH '${derived()}' AS derived`);
      const made = db.prepare(
        `SELECT sql FROM derived.sqlite_master WHERE tbl_name LIKE 'documents_%' AND sql IS NOT NULL ORDER BY type DESC`,
      );
      for (const { sql } of made.all()) db.exec(String(sql));
      db.exec(`
        INSERT INTO main.documents_rows SELECT * FROM derived.documents_rows;
        CREATE TABLE main.positions (consumers TEXT PRIMARY KEY, position INTEGER NOT NULL);
        INSERT INTO main.positions SELECT consumers, position FROM derived.positions;
        PRAGMA main.user_version = 1;
      `);
      db.close();
      await rm(derived());
    });

    it('takes documents and positions from there, and leaves nothing behind', async () => {
      engines = await openOn(folder);
      expect(engines.restoring).toBeNull();
      expect(await followed()).toEqual([]);
      const collection = engines.documents.collection(rows);
      expect(await collection.count({ n: { gte: 0 } })).toBe(MANY);
      expect((await collection.find({ where: {}, order: [['n', 'desc']], limit: 1 }))[0]?.doc).toEqual({ n: MANY - 1 });
      await engines.close();
      const db = new DatabaseSync(events(), { readOnly: true });
      const left = db.prepare(`SELECT name FROM sqlite_master WHERE name IN ('documents_rows', 'positions')`).all();
      db.close();
      expect(left).toEqual([]);
      engines = await openOn(folder);
      expect(await engines.documents.collection(rows).count({ n: { gte: 0 } })).toBe(MANY);
    });

    it('drops a collection that was not taken yet', async () => {
      engines = await openOn(folder);
      await engines.documents.drop(rows);
      expect(await engines.documents.collection(rows).count({ n: { gte: 0 } })).toBe(0);
    });

    it('goes on where it was interrupted', () => {
      const [db, older] = [new Connection(derived()), new Connection(events())];
      prepareFile(db, 'derived');
      const many = () => db.get<{ many: number }>('SELECT count(*) AS many FROM documents_rows', [])?.many;
      expect([adoptRows(db, older, 'documents_rows', 2_000), many()]).toEqual(['more', 2_000]);
      expect([adoptRows(db, older, 'documents_rows', 2_000), many()]).toEqual(['all', MANY]);
      expect([adoptRows(db, older, 'documents_rows', 2_000), many()]).toEqual(['all', MANY]);
      expect(adoptRows(db, older, 'documents_other', 2_000)).toBe('none');
      db.close();
      older.close();
    });
  });
});
