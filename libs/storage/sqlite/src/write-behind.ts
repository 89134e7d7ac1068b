import type { Document } from '@assurance/storage-ports';
import type { Operation, RowsKept } from './operations';
import { type Keyed, rowsByKey } from './rows-by-key';
import type { Reader } from './reader';
import type { WriteQueue } from './write-queue';

/** How long a row waits for others (milliseconds). Longer waits let more rows share a page. */
const WAIT_MS = 4_000;
/** Waiting rows and bytes at which a write starts early. */
const ROWS_MAX = 16_000;
const BYTES_MAX = 8 * 1024 * 1024;
/** Above this many bytes, callers wait. */
const BYTES_FULL = 32 * 1024 * 1024;
/** The most rows in one transaction: appends wait for it. */
const PIECE_ROWS = 300;
/** Bytes of rows that are kept to be read again; twice as many at most. */
const CACHED_BYTES = 4 * 1024 * 1024;

/** A row of a deferred collection, in the file or not. Immutable: a write creates another. */
export interface Row {
  /** -1: no `forward` wrote it. */
  readonly seq: number;
  /** JSON text; null: removed. */
  readonly doc: string | null;
  /** The document, once somebody searched for it among those that wait. Not to be handed out. */
  parsed?: Document;
}

/** Order of writing: rows, then tables that describe rows, then positions of the feed. */
export type Turn = 'first' | 'last';

interface Table {
  readonly turn: Turn;
  /** Rows that are not in the file yet; null: removed. */
  readonly pending: Map<string, Row | null>;
  /** Nothing is written to it until it is made again. */
  dropped: boolean;
  /** Of `pending`, what is being written now. */
  writing: Map<string, Row | null>;
}

/**
 * Rows that the event log can restore. They are written in bulk a moment later, each once, so that a page is written once for many
 * commits. This process is the only writer, so memory and file together are complete. Positions of the feed are written after all
 * earlier rows, so the feed repeats what is lost with the process.
 */
export class WriteBehind {
  private readonly tables = new Map<string, Table>();
  private readonly positions = new Map<string, number>();
  private fresh = new Map<string, Row>();
  private older = new Map<string, Row>();
  private freshBytes = 0;
  private rowsWaiting = 0;
  private bytesWaiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private queued: Promise<void> | null = null;
  private failure: Error | null = null;
  private closed = false;

  constructor(
    private readonly reader: Reader,
    private readonly writes: Pick<WriteQueue, 'submit'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** That the rows of a table are deferred. The turn that is given first stays. */
  defer(table: string, turn: Turn): void {
    if (!this.tables.has(table)) {
      this.tables.set(table, { turn, pending: new Map(), writing: new Map(), dropped: false });
    }
  }

  /** That a table is there from now on. */
  made(table: string): void {
    const one = this.tables.get(table);
    if (one !== undefined) one.dropped = false;
  }

  defers(table: string): boolean {
    return this.tables.has(table);
  }

  /** Rows of a table that are not in the file yet, by key; undefined when there are none. */
  pending(table: string): ReadonlyMap<string, Row | null> | undefined {
    const pending = this.tables.get(table)?.pending;
    return pending === undefined || pending.size === 0 ? undefined : pending;
  }

  /** The rows of a deferred table that are there, removed ones included, by key. */
  rows(table: string, keys: readonly string[]): Map<string, Row> {
    const found = new Map<string, Row>();
    const missing: string[] = [];
    const pending = this.pending(table);
    for (const key of keys) {
      const waiting = pending?.get(key);
      const row = waiting === undefined ? this.known(table, key) : waiting;
      if (row === undefined) missing.push(key);
      else if (row !== null) found.set(key, row);
    }
    for (const { id, seq, doc } of rowsByKey<Row & Keyed>(this.reader, table, 'id, seq, doc', missing)) {
      const row = { seq, doc };
      found.set(id, row);
      this.keep(table, id, row);
    }
    return found;
  }

  /** Sets a row of a deferred table; null: takes it away with its seq. */
  set(table: string, key: string, row: Row | null): void {
    const one = this.tables.get(table);
    if (one === undefined) throw new Error(`rows of ${table} are not deferred`);
    if (one.dropped) return;
    if (!one.pending.has(key)) this.rowsWaiting += 1;
    one.pending.set(key, row);
    this.bytesWaiting += row?.doc?.length ?? 0;
    this.plan();
  }

  /**
   * Waits while too many rows are pending.
   *
   * @throws the error of the last write
   */
  async room(): Promise<void> {
    if (this.bytesWaiting < BYTES_FULL) return;
    if (this.failure !== null) throw this.failure;
    await this.flush();
  }

  /**
   * Writes the pending rows of a table, so that the file can be searched.
   *
   * @throws the error of the write
   */
  async settle(table: string): Promise<void> {
    const one = this.tables.get(table);
    if (one?.turn !== 'first') return this.flush();
    const batch = new Map(one.pending);
    await this.submitRows([[table, batch]]);
    const before = one.pending.size;
    this.moved(table, one.pending, batch);
    this.rowsWaiting = Math.max(0, this.rowsWaiting - (before - one.pending.size));
    const bytes = [...batch.values()].reduce((sum, row) => sum + (row?.doc?.length ?? 0), 0);
    this.bytesWaiting = Math.max(0, this.bytesWaiting - bytes);
  }

  private async submitRows(
    tables: readonly (readonly [table: string, ReadonlyMap<string, Row | null>])[],
  ): Promise<void> {
    await Promise.all(groupsOf(tables).map((rows) => this.writes.submit({ kind: 'rows', rows })));
  }

  /** The position of a group that is not in the file yet. */
  position(consumers: string): number | undefined {
    return this.positions.get(consumers);
  }

  setPosition(consumers: string, position: number): void {
    this.positions.set(consumers, position);
    this.plan();
  }

  /** Writes all that was changed until now. Rejects when it could not be written; it is then tried again later. */
  flush(): Promise<void> {
    this.queued ??= this.flushing.then(() => {
      this.queued = null;
      const work = this.write();
      this.flushing = work.catch(() => undefined);
      return work;
    });
    return this.queued;
  }

  /** Rows are read from the file again. */
  clearCache(): void {
    [this.fresh, this.older, this.freshBytes] = [new Map(), new Map(), 0];
  }

  /** Drops the pending rows of a table that will be removed, and accepts no more. Resolves when no write to it is running. */
  async drop(table: string): Promise<void> {
    const one = this.tables.get(table);
    if (one === undefined) return;
    one.dropped = true;
    this.rowsWaiting -= one.pending.size;
    one.pending.clear();
    await this.flushing;
    for (const cache of [this.fresh, this.older]) {
      for (const name of cache.keys()) if (name.startsWith(`${table} `)) cache.delete(name);
    }
  }

  /** Writes the rest; no writes may follow. */
  async close(): Promise<void> {
    await this.flush().catch(this.onFault);
    this.closed = true;
    clearTimeout(this.timer);
  }

  private plan(): void {
    if (this.closed) return;
    if (this.rowsWaiting >= ROWS_MAX || this.bytesWaiting >= BYTES_MAX) {
      if (this.failure === null) void this.flush().catch(() => undefined);
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.flush().catch((error: unknown) => {
        this.onFault(error);
        this.plan();
      });
    }, WAIT_MS);
  }

  private async write(): Promise<void> {
    const batch = [...this.tables].filter(([, { pending }]) => pending.size > 0);
    const positions = new Map(this.positions);
    for (const [, table] of batch) table.writing = new Map(table.pending);
    const bytes = this.bytesWaiting;
    [this.rowsWaiting, this.bytesWaiting] = [0, 0];
    try {
      // One after the other: a table that describes rows must not be written if those rows failed.
      for (const turn of ['first', 'last'] as const) {
        const its = batch.filter(([, table]) => table.turn === turn);
        await this.submitRows(its.map(([name, { writing }]) => [name, writing]));
      }
      const moved = [...positions].map(([consumers, position]): Operation => ({
        kind: 'position',
        consumers,
        position,
      }));
      await Promise.all(moved.map((one) => this.writes.submit(one)));
      this.failure = null;
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.rowsWaiting = batch.reduce((sum, [, { pending }]) => sum + pending.size, 0);
      this.bytesWaiting += bytes;
      throw error;
    } finally {
      if (this.failure === null) this.written(batch, positions);
      for (const [, table] of batch) table.writing = new Map();
    }
  }

  private written(batch: readonly (readonly [string, Table])[], positions: ReadonlyMap<string, number>): void {
    for (const [name, { pending, writing }] of batch) {
      this.moved(name, pending, writing);
    }
    for (const [consumers, position] of positions) {
      if (this.positions.get(consumers) === position) this.positions.delete(consumers);
    }
  }

  /** That rows are in the file, and wait no more unless they were set again. */
  private moved(table: string, pending: Map<string, Row | null>, written: ReadonlyMap<string, Row | null>): void {
    for (const [key, row] of written) {
      if (pending.get(key) !== row) continue;
      pending.delete(key);
      if (row === null) this.forget(table, key);
      else this.keep(table, key, { seq: row.seq, doc: row.doc });
    }
  }

  private known(table: string, key: string): Row | undefined {
    const name = `${table} ${key}`;
    const row = this.fresh.get(name) ?? this.older.get(name);
    if (row !== undefined && this.older.delete(name)) this.keep(table, key, row);
    return row;
  }

  private keep(table: string, key: string, row: Row): void {
    const name = `${table} ${key}`;
    this.older.delete(name);
    this.freshBytes += name.length + (row.doc?.length ?? 0) + 100;
    this.fresh.set(name, row);
    if (this.freshBytes < CACHED_BYTES) return;
    [this.older, this.fresh, this.freshBytes] = [this.fresh, new Map(), 0];
  }

  private forget(table: string, key: string): void {
    const name = `${table} ${key}`;
    this.fresh.delete(name);
    this.older.delete(name);
  }
}

/** Groups of rows, each of which is one transaction. In the order of keys, so that neighbours in the file are written together. */
function groupsOf(tables: readonly (readonly [table: string, ReadonlyMap<string, Row | null>])[]): RowsKept[][] {
  const groups: RowsKept[][] = [];
  let room = 0;
  for (const [table, rows] of tables) {
    const keys = [...rows.keys()].sort();
    for (let from = 0; from < keys.length;) {
      if (room === 0) {
        groups.push([]);
        room = PIECE_ROWS;
      }
      const some = keys.slice(from, from + room);
      groups.at(-1)?.push({ table, cells: some.flatMap((key) => cellsOf(key, rows.get(key) ?? null)) });
      from += some.length;
      room -= some.length;
    }
  }
  return groups;
}

function cellsOf(key: string, row: Row | null): RowsKept['cells'] {
  return row === null ? [key, null, null] : [key, row.seq, row.doc];
}
