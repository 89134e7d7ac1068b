import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Engines } from '@assurance/storage-ports';
import type { ChangeLog } from '@assurance/storage-records';
import { type BackedUp, type BackupProgress, backUp } from './backup';
import { FolderBlobs } from './blobs';
import { changeLog } from './changes';
import { SqliteDocuments } from './documents';
import { SqliteEventStore } from './event-store';
import { named } from './faults';
import { SqliteFeed } from './feed';
import { makeFolder } from './folders';
import { lockFolder } from './lock';
import { Reader } from './reader';
import { RecentCommits } from './recent-commits';
import { WriteBehind } from './write-behind';
import { type WaitingWrites, WriteQueue } from './write-queue';

/** Options of the embedded engine. */
export interface EmbeddedOptions {
  /** The data folder; made when it is missing. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** So many random bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** Hears of faults that no caller waits for: a handler of the feed that rejected, and a writer that died (`StoreLost`). */
  readonly onFault?: (error: unknown) => void;
}

export interface EmbeddedEngines extends Engines {
  /** New commits in their order, for checkpoints. */
  readonly changes: ChangeLog;
  /** The operations that wait for the writer now. */
  readonly waiting: () => readonly WaitingWrites[];
  /** Copies the data folder while it is in use. */
  readonly backup: Backup;
}

/**
 * Makes a copy of a data folder that another process can open in its place. It holds all that was acknowledged before it began.
 *
 * @param to a folder that does not exist yet
 * @param others names of files of the data folder that belong to the copy, where they are there
 * @throws faults of the disk, and the reason of the signal; nothing stays then
 */
export type Backup = (
  to: string,
  others: readonly string[],
  report: BackupProgress,
  signal: AbortSignal,
) => Promise<BackedUp>;

const FILE = 'assurance.db';
const BLOBS = 'blobs';

/**
 * Opens the four ports on one folder, for this process alone.
 *
 * @throws DataFolderInUse when another process (or another call in this one) has the folder open
 * @throws StoreUnavailable when the folder cannot be used
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedEngines> {
  const folder = resolve(options.folder);
  const onFault = options.onFault ?? (() => undefined);
  const unlock = await locked(folder);
  let started: WriteQueue | undefined;
  try {
    const blobs = await FolderBlobs.open(join(folder, BLOBS), options);
    const file = join(folder, FILE);
    let refresh = (): void => undefined;
    const writes = await WriteQueue.start(file, onFault, () => refresh());
    started = writes;
    const reader = new Reader(file);
    refresh = () => reader.refresh();
    const recent = new RecentCommits();
    const behind = new WriteBehind(reader, writes, onFault);
    const feed = new SqliteFeed(reader, behind, recent, onFault);
    const events = new SqliteEventStore(reader, writes, recent, () => feed.wake());
    let closing: Promise<void> | undefined;
    const close = async () => {
      await feed.close();
      await behind.close();
      const lost = writes.problem !== null;
      await writes.close();
      // The last who closes moves the WAL and removes it: not where it may be all that is whole.
      if (!lost) reader.close();
      unlock();
    };
    return {
      events,
      feed,
      blobs,
      changes: changeLog(reader),
      waiting: () => writes.waiting,
      backup: (to, others, report, signal) => {
        const aside = Buffer.from(options.random(4)).toString('hex');
        return backUp({ folder, file: FILE, blobs: BLOBS, others, to, aside }, report, signal);
      },
      documents: new SqliteDocuments(reader, writes, behind),
      problems: () => problems(folder, reader, writes),
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await started?.close();
    unlock();
    throw named(error);
  }
}

async function locked(folder: string): Promise<() => void> {
  try {
    await makeFolder(folder);
    return lockFolder(folder);
  } catch (error) {
    throw named(error);
  }
}

async function problems(folder: string, reader: Reader, writes: WriteQueue): Promise<string[]> {
  const found = writes.problem === null ? [] : [writes.problem];
  try {
    await access(folder, constants.R_OK | constants.W_OK);
    reader.get('SELECT position FROM commits LIMIT 1', []);
  } catch (error) {
    found.push(`data folder: ${error instanceof Error ? error.message : String(error)}`);
  }
  return found;
}
