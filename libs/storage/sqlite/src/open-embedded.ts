import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ChangeLog } from '@assurance/event-sourcing/relay/change-source';
import type { Engines } from '@assurance/storage-ports';
import { type BackedUp, backUp, type BackupProgress } from './backup';
import { FolderBlobs } from './blobs';
import { changeLog } from './changes';
import { SqliteDocuments } from './documents';
import { SqliteEventStore } from './event-store';
import { portErrorOf } from './faults';
import { SqliteFeed } from './feed';
import { makeFolder } from './folders';
import { lockFolder } from './lock';
import { RecentCommits } from './recent-commits';
import { Reserve } from './reserve';
import { openStore, type Store } from './store';
import { WriteBehind } from './write-behind';
import type { WaitingWrites } from './write-queue';

/** Options of the embedded engine. */
export interface EmbeddedOptions {
  /** The data folder; made if it is missing. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns this number of random bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** Is called with faults that no caller waits for: a rejected handler of the feed, or the end of the writer (`StoreLost`). */
  readonly onFault?: (error: unknown) => void;
}

export interface EmbeddedEngines extends Engines {
  /** New commits in their order, for checkpoints. */
  readonly changes: ChangeLog;
  /** The operations that wait for the writer. */
  readonly waiting: () => readonly WaitingWrites[];
  /** Copies the data folder while it is in use. */
  readonly backup: Backup;
  /** To be called when the service has started: takes the room on the disk again that a start may need. */
  readonly keepReserve: () => Promise<void>;
  /** Why the feed delivers all commits again, to rebuild derived documents; null if these are complete. */
  readonly restoring: string | null;
  /** To be called when every consumer has processed all these commits. */
  readonly restored: () => Promise<void>;
}

/**
 * Makes a copy of a data folder that another process can open in its place. It holds everything that was acknowledged before the backup began.
 *
 * @param to a folder that does not exist yet
 * @param otherFiles names of files of the data folder that belong to the copy, if they exist
 * @throws faults of the disk, and the reason of the signal; nothing stays then
 */
export type Backup = (
  to: string,
  otherFiles: readonly string[],
  report: BackupProgress,
  signal: AbortSignal,
) => Promise<BackedUp>;

const FILE = 'assurance.db';
const DERIVED = 'derived.db';
const BLOBS = 'blobs';

/**
 * Opens the four ports on one folder, for this process alone.
 *
 * @throws DataFolderInUse if another process (or another call in this one) has the folder open
 * @throws StoreUnavailable if the folder cannot be used
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedEngines> {
  const folder = resolve(options.folder);
  const onFault = options.onFault ?? (() => undefined);
  const unlock = await lock(folder);
  const openStores: Store[] = [];
  const reserve = new Reserve(folder);
  try {
    await reserve.free();
    const blobs = await FolderBlobs.open(join(folder, BLOBS), options);
    const [file, derivedFile] = [join(folder, FILE), join(folder, DERIVED)];
    const lasting = await openStore({ file, events: null }, onFault);
    openStores.push(lasting);
    const derivedStore = await openStore({ file: derivedFile, events: file }, onFault);
    openStores.push(derivedStore);
    // The other file has the positions now, and they are on disk.
    await lasting.writes.submit({ kind: 'drop', table: 'positions' });
    const { reader, writes } = lasting;
    const recent = new RecentCommits();
    const writeBehind = new WriteBehind(derivedStore.reader, derivedStore.writes, writes, onFault);
    const feed = new SqliteFeed(reader, derivedStore.reader, writeBehind, recent, onFault);
    const events = new SqliteEventStore(reader, writes, recent, () => feed.wake());
    let closing: Promise<void> | undefined;
    const close = async () => {
      await feed.close();
      await writeBehind.close();
      await closeStore(derivedStore);
      await closeStore(lasting);
      await reserve.keep();
      unlock();
    };
    return {
      events,
      feed,
      blobs,
      changes: changeLog(reader),
      waiting: () => sumOf(writes.waiting, derivedStore.writes.waiting),
      backup: (to, others, report, signal) => {
        const aside = Buffer.from(options.random(4)).toString('hex');
        return backUp({ folder, files: [DERIVED, FILE], blobs: BLOBS, others, to, aside }, report, signal);
      },
      keepReserve: () => reserve.keep(),
      documents: new SqliteDocuments(lasting, derivedStore, writeBehind),
      restoring: derivedStore.writes.restoring,
      restored: async () => {
        await writeBehind.flush();
        await derivedStore.writes.submit({ kind: 'restored' });
      },
      problems: () => problems(folder, openStores),
      close: () => (closing ??= close()),
    };
  } catch (error) {
    for (const store of openStores.reverse()) await closeStore(store);
    unlock();
    throw portErrorOf(error);
  }
}

async function lock(folder: string): Promise<() => void> {
  try {
    await makeFolder(folder);
    return lockFolder(folder);
  } catch (error) {
    throw portErrorOf(error);
  }
}

/** For each lane, the number of operations that wait for the two writers. */
function sumOf(a: readonly WaitingWrites[], b: readonly WaitingWrites[]): WaitingWrites[] {
  return a.map(({ lane, operations, bytes }, i) => ({
    lane,
    operations: operations + (b[i]?.operations ?? 0),
    bytes: bytes + (b[i]?.bytes ?? 0),
  }));
}

async function closeStore({ reader, writes }: Store): Promise<void> {
  const lost = writes.problem !== null;
  await writes.close();
  // When the last connection closes, it moves the WAL into the file and removes it. This is avoided if the WAL may be the only intact copy.
  if (!lost) reader.close();
}

async function problems(folder: string, stores: readonly Store[]): Promise<string[]> {
  const results = stores.flatMap(({ writes }) => writes.problem ?? []);
  try {
    await access(folder, constants.R_OK | constants.W_OK);
    for (const { reader } of stores) reader.get('SELECT count(*) FROM sqlite_master', []);
  } catch (error) {
    results.push(`data folder: ${error instanceof Error ? error.message : String(error)}`);
  }
  return results;
}
