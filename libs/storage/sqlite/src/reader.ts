import { StoreUnavailable } from '@assurance/storage-ports';
import { Connection, type Value } from './connection';
import { DAMAGED, portErrorOf, lossReason } from './faults';

/**
 * The main thread's connection. Reads of one turn of the event loop share a transaction, because opening one costs as much as a short read. The
 * transaction ends with the turn, so it blocks no checkpoint. It also ends when the writer answers (`refresh`), so a read sees every acknowledged
 * write.
 */
export class Reader {
  private readonly db: Connection;
  private closed = false;
  private planned = false;

  /** @param onDamage is called if the file turns out to be damaged */
  constructor(
    file: string,
    private readonly onDamage: () => void = () => undefined,
  ) {
    this.db = open(file);
  }

  get<Row>(sql: string, values: readonly Value[]): Row | undefined {
    return this.readOrThrow(() => this.db.get<Row>(sql, values));
  }

  all<Row>(sql: string, values: readonly Value[]): Row[] {
    return this.readOrThrow(() => this.db.all<Row>(sql, values));
  }

  close(): void {
    if (this.closed) return;
    this.refresh();
    this.closed = true;
    this.db.close();
  }

  /** Ends the open transaction, so that the next read sees all commits until then. */
  refresh(): void {
    if (this.closed || !this.db.inTransaction) return;
    try {
      this.db.run('COMMIT', []);
    } catch {
      // A failed read may have ended the transaction.
    }
  }

  private readOrThrow<T>(read: () => T): T {
    if (this.closed) throw new StoreUnavailable('the data folder is closed');
    try {
      this.begin();
      return read();
    } catch (error) {
      if (lossReason(error) === DAMAGED) this.onDamage();
      throw portErrorOf(error);
    }
  }

  private begin(): void {
    if (this.db.inTransaction) return;
    this.db.run('BEGIN', []);
    if (this.planned) return;
    this.planned = true;
    setImmediate(() => {
      this.planned = false;
      this.refresh();
    });
  }
}

function open(file: string): Connection {
  const db = new Connection(file);
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON; PRAGMA cache_size = -8192');
  return db;
}
