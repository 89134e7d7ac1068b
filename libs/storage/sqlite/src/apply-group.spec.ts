import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GroupWriter } from './apply-group';
import { Connection } from './connection';
import type { Operation } from './operations';
import { prepareFile } from './schema';
import { temporaryFolder } from './testing/open-temporary';

const PAGES = 200;

function append(stream: string, size = 10): Operation {
  const body = JSON.stringify('x'.repeat(size));
  return {
    kind: 'append',
    commit: {
      stream,
      seq: 1,
      id: stream,
      at: 1,
      actor: 'a',
      snapshot: null,
      prev: null,
      hash: `hash of ${stream}`,
      body,
    },
  };
}

describe('a group of writes', () => {
  let folder: string;
  let db: Connection;
  let writer: GroupWriter;
  const commits = () => db.get<{ many: number }>('SELECT count(*) AS many FROM commits', [])?.many;
  beforeEach(async () => {
    folder = await temporaryFolder();
    db = new Connection(join(folder, 'assurance.db'));
    prepareFile(db, 'events');
    writer = new GroupWriter(db);
  });
  afterEach(async () => {
    db.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('fails as a whole with StoreFull when the disk is full, leaves nothing, and succeeds when there is space again', () => {
    db.exec(`PRAGMA max_page_count = ${PAGES}`);
    const endings = writer.apply([append('small'), append('large', 2_000_000), append('last')]);
    expect(endings.map((ending) => ('failure' in ending ? ending.failure.reason : ending.value))).toEqual([
      'full',
      'full',
      'full',
    ]);
    expect(commits()).toBe(0);
    db.exec('PRAGMA max_page_count = 100000');
    expect(writer.apply([append('small'), append('large', 2_000_000)])).toEqual([{ value: 1 }, { value: 2 }]);
  });

  it('makes a table usable that is there already when the disk is full', () => {
    const ready: Operation = {
      kind: 'collection',
      table: 'there',
      columns: [],
      indexes: [],
      complete: true,
      filled: false,
    };
    writer.apply([ready]);
    db.exec(`PRAGMA max_page_count = ${PAGES}`);
    const [table, large] = writer.apply([ready, append('large', 2_000_000)]);
    expect(table).toEqual({ value: false });
    expect(large).toMatchObject({ failure: { reason: 'full' } });
    expect(commits()).toBe(0);
  });

  it('does not let one bad operation take the others down', () => {
    const bad: Operation = { kind: 'write', table: 'missing', writes: [{ kind: 'put', id: 'x', doc: '{}' }] };
    const [one, failed, other] = writer.apply([append('one'), bad, append('other')]);
    expect(one).toEqual({ value: 1 });
    expect(other).toEqual({ value: 2 });
    expect(failed).toMatchObject({
      failure: { reason: 'fault', message: expect.stringContaining('missing') as string },
    });
    expect(commits()).toBe(2);
  });

  it('syncs when a commit, data or positions are in it, or when it is told to, and not for documents alone', () => {
    const synchronous = () => db.get<{ synchronous: number }>('PRAGMA synchronous', [])?.synchronous;
    const documents: Operation = { kind: 'drop', table: 'missing' };
    const [normal, full] = [1, 2];
    const durable: Operation[] = [
      append('one'),
      { kind: 'data', org: 'o', digest: 'd', bytes: Buffer.from('x') },
      { kind: 'positions', positions: [] },
      { kind: 'sync' },
    ];
    for (const operation of durable) {
      writer.apply([documents]);
      expect(synchronous()).toBe(normal);
      writer.apply([documents, operation]);
      expect(synchronous()).toBe(full);
    }
  });

  it('writes a page when it is told to sync, because SQLite syncs no empty transaction', () => {
    const written = () => db.get<{ log: number }>('PRAGMA wal_checkpoint(NOOP)', [])?.log ?? 0;
    const before = written();
    expect(writer.apply([{ kind: 'sync' }])).toEqual([{ value: null }]);
    expect(written()).toBe(before + 1);
  });

  it.each([
    ['SQLITE_IOERR_FSYNC', 1034, 'a write failed to reach the disk'],
    ['SQLITE_CORRUPT', 11, 'what was read is no database'],
    ['SQLITE_CORRUPT_INDEX', 779, 'what was read is no database'],
    ['SQLITE_PROTOCOL', 15, 'the file stays locked'],
  ])('calls itself broken once something failed with %s (%d), and not for a failed write', (_, fatal, why) => {
    const SQLITE_IOERR_WRITE = 778;
    class FailingConnection extends Connection {
      override exec(sql: string): void {
        if (sql === 'COMMIT') throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode });
        super.exec(sql);
      }
    }
    let errcode = SQLITE_IOERR_WRITE;
    const failing = new GroupWriter(new FailingConnection(join(folder, 'assurance.db')));
    expect(failing.apply([append('one')])).toMatchObject([{ failure: { reason: 'unavailable' } }]);
    expect(failing.failureReason).toBeNull();
    errcode = fatal;
    expect(failing.apply([append('one'), append('two')])).toMatchObject(
      Array.from({ length: 2 }, () => ({ failure: { reason: 'unavailable' } })),
    );
    expect(failing.failureReason).toBe(why);
    expect(commits()).toBe(0);
  });

  it('writes a merge only over the revision that it was made from', () => {
    writer.apply([
      { kind: 'collection', table: 'documents_t', columns: [], indexes: [], complete: true, filled: false },
    ]);
    const merge = (rev: number | null, doc: string): Operation => ({
      kind: 'merge',
      table: 'documents_t',
      changes: [{ id: 'x', rev, doc }],
    });
    expect(
      writer
        .apply([merge(null, '1'), merge(null, '2'), merge(1, '3'), merge(1, '4')])
        .map((ending) => 'value' in ending && ending.value),
    ).toEqual([[true], [false], [true], [false]]);
    expect(db.get<{ doc: string }>('SELECT doc FROM documents_t', [])?.doc).toBe('3');
  });

  it('clears a table by pieces until it is small enough to be dropped at once', () => {
    db.exec('CREATE TABLE rows (id TEXT PRIMARY KEY NOT NULL)');
    const clear = () => writer.apply([{ kind: 'clear', table: 'rows', rows: 250 }]);
    expect(clear()).toEqual([{ value: false }]);
    db.exec(
      'INSERT INTO rows WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20300) SELECT n FROM numbers',
    );
    const left = () => db.get<{ many: number }>('SELECT count(*) AS many FROM rows', [])?.many;
    expect([clear(), left()]).toEqual([[{ value: true }], 20_050]);
    expect([clear(), left()]).toEqual([[{ value: true }], 19_800]);
    expect([clear(), left()]).toEqual([[{ value: false }], 19_800]);
    expect(writer.apply([{ kind: 'drop', table: 'rows' }])).toEqual([{ value: null }]);
    expect(left).toThrow('no such table');
  });
});
