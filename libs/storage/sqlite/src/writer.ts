import { parentPort, workerData } from 'node:worker_threads';
import { GroupWriter } from './apply-group';
import { Connection } from './connection';
import { openDerived, removeDerived } from './derived-file';
import { DAMAGED } from './faults';
import { buffersOf, type WriterMessage, type WriterRequest } from './operations';
import { moveWal, prepareFile } from './schema';

/** Data with which a writer is started. */
export interface WriterData {
  readonly file: string;
  /** The file of commits, if this writer has the file of derived documents; otherwise null. */
  readonly events: string | null;
}

/** Runs in the worker thread that owns the writing connection. */
function serveWrites(): void {
  const port = parentPort;
  if (port === null) throw new Error('the writer runs as a worker thread');
  const tell = (message: WriterMessage) => port.postMessage(message);
  const { file, events } = workerData as WriterData;
  const kind = events === null ? 'events' : 'derived';
  let db: Connection;
  let pageBytes: number;
  let restoring: string | null;
  try {
    ({ db, pageBytes, restoring } = events === null ? openEvents(file) : openDerived(file, events));
  } catch (error) {
    tell({ kind: 'refused', message: error instanceof Error ? error.message : String(error) });
    port.close();
    return;
  }
  const writer = new GroupWriter(db, events);
  const end = (why: string): never => {
    // The next start restores the file from commits.
    if (events !== null && why === DAMAGED) removeDerived(file);
    throw new Error(why);
  };
  port.on('message', (message: WriterRequest) => {
    switch (message.kind) {
      case 'group':
        tell({ kind: 'done', endings: writer.apply(message.operations) });
        // Frees the buffers now. The heap of this thread hardly grows, so V8 would collect them only at 64 MB.
        for (const buffer of buffersOf(message.operations)) buffer.transfer(0);
        if (writer.failureReason !== null) end(writer.failureReason);
        moveWal(db, kind, pageBytes);
        return;
      case 'damaged':
        return end(DAMAGED);
      case 'close':
        try {
          db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        } catch {
          // The next start reads from the WAL what was not moved.
        }
        writer.close();
        db.close();
        port.close();
        return;
    }
  });
  tell({ kind: 'ready', restoring });
}

function openEvents(file: string) {
  const db = new Connection(file);
  return { db, pageBytes: prepareFile(db, 'events'), restoring: null };
}

serveWrites();
