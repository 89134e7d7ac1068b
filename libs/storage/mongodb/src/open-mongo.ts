import * as os from 'node:os';
import { createConnection } from 'mongoose';
import type { ChangeLog, ChangeSource } from '@assurance/event-sourcing/relay/change-source';
import type { Engines } from '@assurance/storage-ports';
import { openBlobs } from './blobs';
import { changesOf } from './changes';
import { serverCheck } from './check-server';
import { openDocuments } from './documents';
import { openEventStore } from './event-store';
import { persistence, type EngineDependencies } from './persist';
import { PendingOperations } from './pending-operations';
import { whyUnavailable } from './unavailable-reason';

export interface MongoOptions extends EngineDependencies {
  /** The connection string of a replica set. */
  readonly url: string;
  readonly database: string;
}

export interface MongoEngines extends Omit<Engines, 'feed'> {
  /** New commits, for the relay and for checkpoints. */
  readonly changes: ChangeSource & ChangeLog;
}

/** How long one operation waits for a primary before it fails (milliseconds). */
const SELECTION_MS = 5_000;

/**
 * Opens the event store, documents and blobs on one MongoDB connection. A write is acknowledged when a majority has it in the journal. A read
 * returns only data that a majority has, except within a merge.
 *
 * @throws StoreUnavailable when no primary answers
 * @throws StoreMisconfigured when the servers refuse the user, or TLS fails
 */
export async function openMongo({ url, database, now, steady, random }: MongoOptions): Promise<MongoEngines> {
  const underWay = new PendingOperations();
  const persist = persistence({ steady, random }, underWay);
  const connection = createConnection(url, {
    dbName: database,
    writeConcern: { w: 'majority', journal: true },
    readConcernLevel: 'majority',
    readPreference: 'primary',
    ignoreUndefined: true,
    autoCreate: false,
    autoIndex: false,
    // By default mongoose buffers the creation of a collection while there is no primary, and fails after 10 s with its
    // own error.
    bufferCommands: false,
    serverSelectionTimeoutMS: SELECTION_MS,
    // By default the driver imports `os` when it connects, in a way that not every module loader allows.
    runtimeAdapters: { os },
  });
  try {
    await connection.asPromise();
  } catch (cause) {
    await connection.close();
    throw whyUnavailable(cause);
  }
  const client = connection.getClient();
  client.on('connectionPoolCleared', () => underWay.noteInterruption());
  const db = client.db(database);
  const events = await openEventStore(db, persist);
  return {
    events,
    documents: openDocuments(connection, persist),
    changes: changesOf(db, persist),
    blobs: await openBlobs(db, persist, { now, random }),
    problems: serverCheck(db),
    close: () => connection.close(),
  };
}
