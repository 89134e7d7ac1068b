import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from './connection';
import { moveWal, prepareFile } from './schema';
import { temporaryFolder } from './testing/open-temporary';

describe('the file of the embedded engine', () => {
  let folder: string;
  let db: Connection;
  beforeEach(async () => {
    folder = await temporaryFolder();
    db = new Connection(join(folder, 'assurance.db'));
  });
  afterEach(async () => {
    db.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has pages of 2 KB where it is new, and keeps the pages that it has', () => {
    expect(prepareFile(db, 'events')).toBe(2_048);
    expect(prepareFile(db, 'events')).toBe(2_048);
    const older = new Connection(join(folder, 'older.db'));
    older.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; CREATE TABLE one (id TEXT)');
    expect(prepareFile(older, 'events')).toBe(4_096);
    older.close();
  });

  it.each([
    ['events', 12],
    ['derived', 128],
  ] as const)('of %s takes the WAL in when that has %d MB, and not before', (kind, megabytes) => {
    const pageBytes = prepareFile(db, kind);
    db.exec('CREATE TABLE one (bytes BLOB)');
    const moved = () => db.get<{ checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)', []);
    const write = (bytes: number) => db.run('INSERT INTO one VALUES (?)', [Buffer.alloc(bytes)]);
    write((megabytes - 1) * 1024 * 1024);
    moveWal(db, kind, pageBytes);
    expect(moved()?.checkpointed).toBe(0);
    write(1024 * 1024);
    moveWal(db, kind, pageBytes);
    expect(moved()?.checkpointed).toBeGreaterThan(megabytes * 500);
  });
});
