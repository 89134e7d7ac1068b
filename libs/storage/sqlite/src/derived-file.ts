import { closeSync, existsSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { Connection } from './connection';
import { codeOf } from './faults';
import type { GroupPosition } from './operations';
import { prepareFile } from './schema';

/** Value in the header of a file until all its documents are restored. */
const RESTORING = 1;

/** Why the file cannot be used. It is then made again. */
class UnusableFile extends Error {}

/** The file of derived documents, ready to be written. */
export interface DerivedFile {
  readonly db: Connection;
  /** Bytes of its pages. */
  readonly pageBytes: number;
  /** Why its documents must be rebuilt from commits; null if they are complete. */
  readonly restoring: string | null;
}

/**
 * Opens the file of derived documents. If the file is missing, damaged, or belongs to other commits, it makes a new one without documents and
 * positions. The feed then delivers all commits again.
 *
 * @param events the file of commits, which was prepared before
 */
export function openDerived(file: string, events: string): DerivedFile {
  const commits = new Connection(events);
  try {
    try {
      return prepareDerived(file, commits, 'the file of derived documents is new or has not been complete yet');
    } catch (error) {
      const code = codeOf(error);
      if (!(error instanceof UnusableFile) && code !== 'SQLITE_CORRUPT' && code !== 'SQLITE_NOTADB') throw error;
      removeDerived(file);
      const why = error instanceof Error ? error.message : String(error);
      return prepareDerived(file, commits, `the file of derived documents could not be used: ${why}`);
    }
  } finally {
    commits.close();
  }
}

/** Removes the file with its WAL. The next start makes it again. */
export function removeDerived(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}

/** Records that all documents are restored. */
export function markRestored(db: Connection): void {
  db.exec('PRAGMA application_id = 0');
}

function prepareDerived(file: string, commits: Connection, why: string): DerivedFile {
  const short = isShort(file);
  const db = new Connection(file);
  try {
    const pageBytes = prepareFile(db, 'derived');
    if (short && db.get<{ quick_check: string }>('PRAGMA quick_check(1)', [])?.quick_check !== 'ok') {
      throw new UnusableFile('a part of it is missing');
    }
    takePositions(db, commits);
    const positions = db.all<GroupPosition>('SELECT consumers, position, id FROM positions', []);
    for (const position of positions) refuseOther(commits, position);
    if (positions.length === 0 && newest(commits) > 0) db.exec(`PRAGMA application_id = ${RESTORING}`);
    const mark = db.get<{ application_id: number }>('PRAGMA application_id', [])?.application_id;
    return { db, pageBytes, restoring: mark === RESTORING ? why : null };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Whether a file has fewer bytes than its header says. That alone is no fault: the missing pages may be in the WAL. */
function isShort(file: string): boolean {
  if (!existsSync(file)) return false;
  const opened = openSync(file, 'r');
  try {
    const header = Buffer.alloc(32);
    if (readSync(opened, header, 0, 32, 0) < 32) return false;
    const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    return fstatSync(opened).size < header.readUInt32BE(28) * pageBytes;
  } finally {
    closeSync(opened);
  }
}

/** Moves the positions from the other file, where releases before 0.2 kept them. */
function takePositions(db: Connection, commits: Connection): void {
  if (commits.get(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'positions'`, []) === undefined) return;
  // Commits of erased streams no longer exist.
  const sql = `SELECT consumers, position, coalesce(id, '') AS id FROM positions LEFT JOIN commits USING (position)`;
  db.exec('BEGIN IMMEDIATE');
  for (const { consumers, position, id } of commits.all<GroupPosition>(sql, [])) {
    db.run('INSERT OR IGNORE INTO positions (consumers, position, id) VALUES (?, ?, ?)', [consumers, position, id]);
  }
  db.exec('COMMIT');
}

/** @throws Unusable if another commit has the position, or none had it yet: the files are of different times */
function refuseOther(commits: Connection, { position, id }: GroupPosition): void {
  const there = commits.get<{ id: string }>('SELECT id FROM commits WHERE position = ?', [position]);
  // Commits of erased streams no longer exist.
  if (there === undefined ? position > newest(commits) : there.id !== id) {
    throw new UnusableFile('it belongs to other commits');
  }
}

/** The highest position that was ever assigned. */
function newest(commits: Connection): number {
  return commits.get<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'commits'`, [])?.seq ?? 0;
}
