import { constants } from 'node:fs';
import { copyFile, link, mkdir, opendir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { codeOf } from './faults';
import { makeFolder, syncFolder } from './folders';

/** Pages that are copied at one time: 16 MiB. */
const PAGES = 4_096;
/** The file is copied if a hard link fails with one of these codes. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Source and target of a backup. */
export interface BackupSource {
  /** The data folder. */
  readonly folder: string;
  /** Names of the databases in the folder. The first is the one that is derived from the other. */
  readonly files: readonly string[];
  /** Name of the folder of blobs, and names of other files, which are copied if they exist. */
  readonly blobs: string;
  readonly others: readonly string[];
  /** A folder that does not exist yet. */
  readonly to: string;
  /** Suffix of the folder's name until the copy is complete. */
  readonly aside: string;
}

/** How far a backup is. Pages belong to the databases; blobs are files. */
export type BackupProgress = (done: number, of: number | null, unit: 'pages' | 'blobs') => void;

/** The counts of a backup. */
export interface BackedUp {
  readonly pages: number;
  readonly blobs: number;
  /** How many of the blobs share their bytes with the data folder, as hard links. */
  readonly linked: number;
}

/**
 * Copies a data folder that is in use: first each database as of one instant, then the blobs. Derived documents are copied before the commits, so
 * they are never newer; the feed delivers the difference again. A blob is durable before the commit that names it. So every blob that the database
 * names exists when the blobs are copied. Blobs are never rewritten, so a hard link on the same file system is as good as a copy. The copy gets its
 * name only when all of it is on disk.
 *
 * @throws faults of the disk, and the reason of the signal; nothing stays then
 */
export async function backUp(source: BackupSource, report: BackupProgress, signal: AbortSignal): Promise<BackedUp> {
  const { folder, files, blobs, others, to, aside } = source;
  const part = `${to}.${aside}.part`;
  await makeFolder(dirname(to));
  await mkdir(part, { mode: 0o700 });
  try {
    let pages = 0;
    for (const file of files) pages += await copyDatabase(join(folder, file), join(part, file), report, signal);
    const copyResult = await copyBlobs(join(folder, blobs), join(part, blobs), report, signal);
    for (const name of others) await copyWhole(join(folder, name), join(part, name));
    await syncFolder(part);
    await rename(part, to);
    await syncFolder(dirname(to));
    return { pages, ...copyResult };
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

/** Reads in one transaction, so that a writer neither waits nor restarts the copy. The WAL grows meanwhile. */
async function copyDatabase(from: string, to: string, report: BackupProgress, signal: AbortSignal): Promise<number> {
  const db = new DatabaseSync(from, { readOnly: true });
  try {
    db.exec('PRAGMA busy_timeout = 5000; BEGIN');
    // The transaction begins with its first read.
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) => {
      signal.throwIfAborted();
      report(totalPages - remainingPages, totalPages, 'pages');
    };
    signal.throwIfAborted();
    return await backup(db, to, { rate: PAGES, progress });
  } finally {
    db.close();
  }
}

async function copyBlobs(from: string, to: string, report: BackupProgress, signal: AbortSignal) {
  const counts = { blobs: 0, linked: 0 };
  await mkdir(to, { mode: 0o700 });
  for await (const org of await opendir(from)) {
    // `.put` has files of unfinished puts. Their commits come after the copy of the database.
    if (org.name === '.put' || !org.isDirectory()) continue;
    await mkdir(join(to, org.name), { mode: 0o700 });
    for await (const part of await opendir(join(from, org.name))) {
      const [source, target] = [join(from, org.name, part.name), join(to, org.name, part.name)];
      await mkdir(target, { mode: 0o700 });
      for await (const blob of await opendir(source)) {
        signal.throwIfAborted();
        const how = await linkOrCopy(join(source, blob.name), join(target, blob.name));
        if (how === 'gone') continue;
        counts.blobs += 1;
        if (how === 'linked') counts.linked += 1;
        report(counts.blobs, null, 'blobs');
      }
      await syncFolder(target);
    }
    await syncFolder(join(to, org.name));
  }
  await syncFolder(to);
  return counts;
}

/** `gone`: a sweep has removed the blob because no commit names it. */
async function linkOrCopy(from: string, to: string): Promise<'linked' | 'copied' | 'gone'> {
  try {
    await link(from, to);
    return 'linked';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'gone';
    if (!NO_LINK.has(codeOf(error))) throw error;
    return (await copyWhole(from, to)) ? 'copied' : 'gone';
  }
}

/** @returns false if there is no such file */
async function copyWhole(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  const copy = await open(to, 'r+');
  try {
    await copy.sync();
  } finally {
    await copy.close();
  }
  return true;
}
