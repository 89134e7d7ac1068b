import { join } from 'node:path';
import { DataFolderInUse } from '@assurance/storage-ports';
import { Connection } from './connection';
import { codeOf } from './faults';

/**
 * Locks a data folder for this process. It uses SQLite's lock on a separate file. The system releases the lock however the process ends.
 *
 * @returns releases the folder
 * @throws DataFolderInUse
 */
export function lockFolder(folder: string): () => void {
  const db = new Connection(join(folder, 'lock.db'));
  try {
    // Nothing is written, so no journal has to be made, for which a full disk has no room.
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (!codeOf(error).startsWith('SQLITE_BUSY')) throw error;
    throw new DataFolderInUse(
      `the data folder ${folder} is in use by another process: stop it, or choose another folder`,
    );
  }
  return () => {
    db.exec('ROLLBACK');
    db.close();
  };
}
