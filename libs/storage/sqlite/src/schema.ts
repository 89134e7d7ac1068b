import type { Connection } from './connection';

/**
 * The two files of a data folder. `events` has commits, their data, and documents that cannot be restored. `derived` has deferred documents and the
 * positions of the feed, which can be restored from the first file.
 */
export type FileKind = 'events' | 'derived';

/** Raised with every change of the tables below. */
const VERSION = 2;

const EVENTS = `
  CREATE TABLE IF NOT EXISTS commits (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    snapshot INTEGER,
    hash TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (stream, seq)
  );
  CREATE INDEX IF NOT EXISTS commits_by_actor ON commits (actor, at, stream, seq);
  CREATE TABLE IF NOT EXISTS data (
    org TEXT NOT NULL,
    digest TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    PRIMARY KEY (org, digest)
  );
  CREATE TABLE IF NOT EXISTS data_chunks (
    org TEXT NOT NULL,
    digest TEXT NOT NULL,
    number INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (org, digest, number)
  );
  DROP INDEX IF EXISTS commits_by_snapshot;
  DROP INDEX IF EXISTS commits_by_time;
`;

/** Each position has the id of its commit. The ids show whether the two files belong together. */
const DERIVED = `
  CREATE TABLE IF NOT EXISTS positions (consumers TEXT PRIMARY KEY, position INTEGER NOT NULL, id TEXT NOT NULL);
`;

/**
 * Bytes of a page in a new file; an existing file keeps its size. Most written pages are pages of indexes with one or two new entries each, so half
 * the page size writes half the bytes.
 */
const PAGE_BYTES = 2_048;
/**
 * At this size (bytes), the WAL is moved into the file. A larger size would write fewer bytes but make commits wait longer. Nothing waits for derived
 * documents, so their limit is larger.
 */
const WAL_BYTES: Readonly<Record<FileKind, number>> = { events: 12 * 1024 * 1024, derived: 128 * 1024 * 1024 };

/**
 * Moves the WAL into the file when it has grown. It runs after an answer, whereas SQLite would do it before. Pages that cannot be moved now are moved
 * later.
 *
 * @param pageBytes what `prepareFile` returned
 */
export function moveWal(db: Connection, kind: FileKind, pageBytes: number): void {
  try {
    const { log = 0 } = db.get<{ log: number }>('PRAGMA wal_checkpoint(NOOP)', []) ?? {};
    if (log * pageBytes >= WAL_BYTES[kind]) db.get('PRAGMA wal_checkpoint(PASSIVE)', []);
  } catch {
    // The disk is full, or a similar fault: the WAL stays unchanged.
  }
}

/** Changes a page, so that the transaction is synced. */
export function markWritten(db: Connection): void {
  db.exec(`PRAGMA user_version = ${VERSION}`);
}

/**
 * Brings a file to the tables of this version. A collection of documents adds its table when first used.
 *
 * @returns bytes of its pages
 */
export function prepareFile(db: Connection, kind: FileKind): number {
  // The page size must be set before the first page is written.
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  // `moveWal` moves the WAL.
  db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -16384');
  const version = db.get<{ user_version: number }>('PRAGMA user_version', [])?.user_version ?? 0;
  if (version > VERSION) {
    throw new Error(`the data folder was written by a newer release (format ${version}; this one knows ${VERSION})`);
  }
  db.exec(`BEGIN IMMEDIATE; ${kind === 'events' ? EVENTS : DERIVED} PRAGMA user_version = ${VERSION}; COMMIT`);
  return db.get<{ page_size: number }>('PRAGMA page_size', [])?.page_size ?? PAGE_BYTES;
}
