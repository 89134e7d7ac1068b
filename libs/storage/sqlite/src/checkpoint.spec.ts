import { openSync, statSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Checkpoint } from './checkpoint';
import { Connection, type Value } from './connection';
import { prepareFile } from './schema';
import { temporaryFolder } from './testing/open-temporary';

const PAGE = 4096;

/** A connection that writes garbage in the place of pages that it moves, as the driver does where it cannot read the WAL. */
class Careless extends Connection {
  /** Counted from the end of the file, where the newest are. */
  garbage: readonly number[] = [];

  constructor(private readonly file: string) {
    super(file);
  }

  override all<Row>(sql: string, values: readonly Value[]): Row[] {
    const rows = super.all<Row>(sql, values);
    if (!sql.startsWith('PRAGMA wal_checkpoint')) return rows;
    // Never closed: SQLite's locks would go.
    const fd = openSync(this.file, 'r+');
    const { size } = statSync(this.file);
    for (const page of this.garbage) writeSync(fd, Buffer.alloc(PAGE, 7), 0, PAGE, size - page * PAGE);
    return rows;
  }
}

describe('what moves the WAL into the file', () => {
  let folder: string;
  let file: string;
  let db: Careless;
  let checkpoint: Checkpoint;
  let number = 0;
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder, 'assurance.db');
    db = new Careless(file);
    prepareFile(db);
    checkpoint = new Checkpoint(db, file);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const sound = () => {
    // A connection of its own, which remembers no page.
    const other = new Connection(file);
    const found = other.all<object>('PRAGMA integrity_check', []);
    other.close();
    return found;
  };
  const insert = (rows: number) => {
    db.exec('BEGIN');
    for (let i = 0; i < rows; i += 1) {
      const consumers = `${(number += 1)} `.repeat(200);
      db.run('INSERT INTO positions (consumers, position) VALUES (?, ?)', [consumers, i]);
    }
    db.exec('COMMIT');
  };

  it('writes pages again that did not arrive as they are in the WAL', () => {
    insert(200);
    db.garbage = [1, 3, 8];
    expect(checkpoint.move()).toBe(true);
    db.garbage = [];
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(sound()).toEqual([{ integrity_check: 'ok' }]);
  });

  it('compares what a later one moves, and leaves what it does not move as it is', () => {
    insert(100);
    checkpoint.move();
    insert(100);
    db.garbage = [1, 2];
    expect(checkpoint.move()).toBe(true);
    db.garbage = [];
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(sound()).toEqual([{ integrity_check: 'ok' }]);
  });

  it('lets the WAL grow to some megabytes and no more', () => {
    for (let i = 0; i < 30; i += 1) {
      insert(100);
      checkpoint.whenDue();
    }
    expect(statSync(`${file}-wal`).size).toBeLessThan(6_000_000);
    expect(statSync(file).size).toBeGreaterThan(1_000_000);
  });
});
