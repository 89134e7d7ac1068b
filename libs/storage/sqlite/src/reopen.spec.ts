import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type CollectionDefinition,
  type Engines,
  type IndexDefinition,
  StoreUnavailable,
  UnindexedQuery,
} from '@assurance/storage-ports';
import { appendAll, makeCommit, makeStream, unique } from '@assurance/testing/conformance/harness';
import { openOn, temporaryFolder } from './testing/open-temporary';

interface Row {
  readonly org: string;
  readonly n: number;
}

const byOrg: IndexDefinition = { name: 'org', fields: [['org', 'asc']] };
const byNumber: IndexDefinition = { name: 'n', fields: [['n', 'desc']] };
const stateRows = (...indexes: IndexDefinition[]): CollectionDefinition<Row> => ({ name: 'heads', indexes });

async function* once(text: string) {
  yield Buffer.from(text);
}

describe('the embedded engine, opened again', () => {
  let folder: string;
  let engines: Engines;
  const reopen = async () => {
    await engines.close();
    engines = await openOn(folder);
  };
  beforeEach(async () => {
    folder = await temporaryFolder();
    engines = await openOn(folder);
  });
  afterEach(async () => {
    await engines.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has everything that was written', async () => {
    const commits = makeStream([{}, {}, {}]);
    await appendAll(engines.events, commits);
    const text = JSON.stringify('x'.repeat(700_000));
    const digest = await engines.events.putData('org', text);
    await engines.documents
      .collection(stateRows(byOrg))
      .write([{ kind: 'forward', id: 'a', seq: 3, doc: { org: 'o', n: 1 } }]);
    const blob = await engines.blobs.put('org', once('evidence'), 100);
    await reopen();
    expect(await engines.events.read(commits[0]!.stream, 1, 10)).toEqual(commits);
    expect(await engines.events.readData('org', digest)).toBe(text);
    const collection = engines.documents.collection(stateRows(byOrg));
    await collection.write([{ kind: 'forward', id: 'a', seq: 3, doc: { org: 'late', n: 0 } }]);
    expect(await collection.get('a')).toEqual({ org: 'o', n: 1 });
    expect(blob).toMatchObject((await engines.blobs.stat('org', blob.sha256)) ?? { sha256: 'none' });
  });

  it('drops the indexes of commits that an older release made, and finds what they found', async () => {
    const commits = makeStream([{ at: 1 }, { at: 5, index: { snapshot: 1, full: 1, runs: '', runsCounted: '' } }]);
    await appendAll(engines.events, commits);
    const inFile = <T>(act: (db: DatabaseSync) => T): T => {
      const db = new DatabaseSync(join(folder, 'assurance.db'));
      try {
        return act(db);
      } finally {
        db.close();
      }
    };
    inFile((db) => db.exec('CREATE INDEX commits_by_time ON commits (stream, at, seq)'));
    inFile((db) => db.exec('CREATE INDEX commits_by_snapshot ON commits (stream, snapshot, seq)'));
    await reopen();
    const names = `SELECT name FROM sqlite_master WHERE tbl_name = 'commits' AND type = 'index' AND sql IS NOT NULL`;
    expect(inFile((db) => db.prepare(names).all())).toEqual([{ name: 'commits_by_actor' }]);
    const { stream } = commits[0]!;
    expect(await engines.events.bySnapshot(stream, 1)).toEqual(commits[1]);
    expect(await engines.events.asOf(stream, 4)).toEqual(commits[0]);
  });

  it('writes what is queued before it closes, and then refuses', async () => {
    const commits = Array.from({ length: 50 }, () => makeCommit());
    const outcomes = Promise.all(commits.map((commit) => engines.events.append(commit)));
    const { events } = engines;
    await reopen();
    expect(new Set(await outcomes)).toEqual(new Set(['appended']));
    for (const commit of commits) expect(await engines.events.newest(commit.stream)).toEqual(commit);
    await expect(events.append(makeCommit())).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(events.newest('any')).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('goes on with the feed where each group was', async () => {
    const group = unique('group');
    const before = makeStream([{}, {}, {}]);
    await appendAll(engines.events, before);
    const consumer = await engines.feed.consume(group, () => Promise.resolve(), { maxBatch: 10 });
    while ((await consumer.lag()) > 0) await new Promise((resolve) => setImmediate(resolve));
    await reopen();
    const after = makeStream([{}, {}]);
    await appendAll(engines.events, after);
    const heard = new Promise<string[]>((resolve) => {
      const ids: string[] = [];
      void engines.feed.consume(
        group,
        async (batch) => {
          ids.push(...batch.map(({ id }) => id));
          if (ids.length >= after.length) resolve(ids);
        },
        { maxBatch: 10 },
      );
    });
    expect(await heard).toEqual(after.map(({ id }) => id));
  });

  it('indexes existing documents when a collection gets another index, and drops an index that is no longer declared', async () => {
    const docs = [3, 1, 2].map((n) => ({ kind: 'put', id: `d${n}`, doc: { org: 'o', n } }) as const);
    await engines.documents.collection(stateRows(byOrg)).write(docs);
    await reopen();
    const both = engines.documents.collection(stateRows(byOrg, byNumber));
    const results = await both.find({ where: {}, order: [['n', 'desc']], limit: 10 });
    expect(results.map(({ doc }) => doc.n)).toEqual([3, 2, 1]);
    expect(await both.count({ org: 'o' })).toBe(3);
    await reopen();
    const one = engines.documents.collection(stateRows(byNumber));
    expect(await one.count({ n: { gte: 2 } })).toBe(2);
    await expect(one.count({ org: 'o' })).rejects.toBeInstanceOf(UnindexedQuery);
    await reopen();
    expect(await engines.documents.collection(stateRows(byOrg)).count({ org: 'o' })).toBe(3);
  });

  it('fills columns that rows of an older release lack, before it finds by them, and again where that release wrote since', async () => {
    const older = { ...stateRows(byOrg, byNumber), deferred: 'first' } as const;
    const newer: CollectionDefinition<Row> = { ...older, ids: ['org'] };
    const org = '01a202a5-b1c5-75ae-bb4c-44d9c9830000';
    const put = (n: number) => ({ kind: 'put', id: `${n}`, doc: { org, n } }) as const;
    await engines.documents.collection(older).write(Array.from({ length: 600 }, (_, n) => put(n)));
    await reopen();
    expect(await engines.documents.collection(newer).count({ org })).toBe(600);
    await engines.documents.collection(newer).write([put(600), { kind: 'remove', id: '0', seq: 1 }]);
    await reopen();
    expect(await engines.documents.collection(newer).count({ org })).toBe(600);
    await reopen();
    await engines.documents.collection(older).write([put(601)]);
    await reopen();
    const rows = engines.documents.collection(newer);
    expect(await rows.count({ org })).toBe(601);
    const results = await rows.find({ where: {}, order: [['n', 'desc']], limit: 3 });
    expect(results.map(({ doc }) => doc.n)).toEqual([601, 600, 599]);
  });

  it('clears away what broken puts left, and keeps one file a blob', async () => {
    await writeFile(join(folder, 'blobs/.put/left'), 'half');
    await reopen();
    await Promise.all(Array.from({ length: 4 }, () => engines.blobs.put('org', once('the same'), 100)));
    const broken = async function* () {
      yield Buffer.from('half');
      throw new Error('the line went dead');
    };
    await expect(engines.blobs.put('org', broken(), 100)).rejects.toThrow('the line went dead');
    expect(await readdir(join(folder, 'blobs/.put'))).toEqual([]);
    const files = await readdir(join(folder, 'blobs/org'), { recursive: true, withFileTypes: true });
    expect(files.filter((file) => file.isFile())).toHaveLength(1);
  });

  it('names as a problem that it is closed', async () => {
    expect(await engines.problems()).toEqual([]);
    await engines.close();
    expect((await engines.problems())[0]).toContain('closed');
    await rm(folder, { recursive: true, force: true });
    await expect(stat(folder)).rejects.toThrow();
  });
});
