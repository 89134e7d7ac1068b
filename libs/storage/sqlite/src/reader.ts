import { StoreUnavailable } from '@assurance/storage-ports';
import { Connection } from './connection';
import type { Value } from './connection';
import { named } from './faults';

/** The main thread's connection. Every call is a read of its own, so it sees all that was committed before and holds up no checkpoint. */
export class Reader {
  private readonly db: Connection;
  private closed = false;

  constructor(file: string) {
    this.db = open(file);
  }

  get<Row>(sql: string, values: readonly Value[]): Row | undefined {
    return this.reading(() => this.db.get<Row>(sql, values));
  }

  all<Row>(sql: string, values: readonly Value[]): Row[] {
    return this.reading(() => this.db.all<Row>(sql, values));
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.db.close();
  }

  private reading<T>(read: () => T): T {
    if (this.closed) throw new StoreUnavailable('the data folder is closed');
    try {
      return read();
    } catch (error) {
      throw named(error);
    }
  }
}

function open(file: string): Connection {
  const db = new Connection(file);
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON; PRAGMA cache_size = -16384');
  return db;
}

/** Lets everybody else have a turn between two reads of a long one. */
export function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
