import { parentPort, workerData } from 'node:worker_threads';
import { GroupWriter } from './apply-group';
import { Connection } from './connection';
import type { FromWriter, ToWriter } from './operations';
import { moveWal, prepareFile } from './schema';

/** The worker thread that owns the writing connection. */
function serveWrites(): void {
  const port = parentPort;
  if (port === null) throw new Error('the writer runs as a worker thread');
  const tell = (message: FromWriter) => port.postMessage(message);
  const { file } = workerData as { readonly file: string };
  let db: Connection;
  let pageBytes: number;
  try {
    db = new Connection(file);
    pageBytes = prepareFile(db);
  } catch (error) {
    tell({ kind: 'refused', message: error instanceof Error ? error.message : String(error) });
    port.close();
    return;
  }
  const writer = new GroupWriter(db);
  port.on('message', (message: ToWriter) => {
    switch (message.kind) {
      case 'group':
        tell({ kind: 'done', endings: writer.apply(message.operations) });
        if (writer.broken !== null) throw new Error(writer.broken);
        moveWal(db, pageBytes);
        return;
      case 'close':
        try {
          db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        } catch {
          // The next start reads from the WAL what was not moved.
        }
        db.close();
        port.close();
        return;
    }
  });
  tell({ kind: 'ready' });
}

serveWrites();
