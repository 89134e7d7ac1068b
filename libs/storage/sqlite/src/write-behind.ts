import { ownerOfWork, yieldToOthers } from '@assurance/kernel';
import type { Document } from '@assurance/storage-ports';
import type { GroupPosition, TableRows } from './operations';
import { PendingRows, type Row } from './pending-rows';
import type { Reader } from './reader';
import { type KeyedRow, rowsByKey } from './rows-by-key';
import type { WriteQueue } from './write-queue';

/** How long a row waits for other rows (milliseconds). With longer waits, more rows share a page. */
const WAIT_MS = 4_000;
/** Waiting rows and bytes at which a write starts early. */
const ROWS_MAX = 32_000;
const BYTES_MAX = 16 * 1024 * 1024;
/**
 * At this many pending bytes, the rows of one table are written, while rows of other tables wait. So a rebuild makes rows while earlier ones are
 * written.
 */
const TABLE_BYTES_MAX = 4 * 1024 * 1024;
/** Above this many pending bytes, callers wait. An owner of work with `BYTES_OWNED` of them waits above `BYTES_MAX`, so that others need not wait. */
const BYTES_FULL = 32 * 1024 * 1024;
const BYTES_OWNED = 4 * 1024 * 1024;
/** The most rows in one operation of the writer. */
const PIECE_ROWS = 300;
/** After this number of groups, other work may run. */
const GROUPS_AT_ONCE = 4;
/** A caller that sets more than `MANY` rows at once waits until they are written, if more than `ROWS_SHARED` rows are pending. */
const MANY = 2_000;
const ROWS_SHARED = 8_000;
/** Bytes of written rows that are cached for reads; the cache holds at most twice as many. */
const CACHED_BYTES = 4 * 1024 * 1024;

/** Order of writing: rows, then tables that describe rows, then positions of the feed. */
export type WriteOrder = 'first' | 'last';

interface Table {
  readonly order: WriteOrder;
  readonly pending: PendingRows;
  /** No rows are written to a dropped table until it is made again. */
  dropped: boolean;
  /** The part of `pending` that is being written. */
  writing: Map<string, Row | null>;
  /** Bytes that were set since the last write of all its rows began. */
  fresh: number;
}

/**
 * Rows that the event log can restore. They are written in bulk a moment later, each once, so that a page is written once for many commits. This
 * process is the only writer, so memory and file together are complete. Positions of the feed are written after all earlier rows, and after the
 * consumers' writes to the other file are synced. So if the process or the machine fails, the feed delivers the lost commits again.
 */
export class WriteBehind {
  private readonly tables = new Map<string, Table>();
  private readonly positions = new Map<string, GroupPosition>();
  /** Written rows that are cached for reads, by table and key. */
  private newRows = new Map<string, Map<string, Row>>();
  private olderRows = new Map<string, Map<string, Row>>();
  private freshBytes = 0;
  private rowsWaiting = 0;
  private bytesWaiting = 0;
  /** Bytes that each owner of work set since the last write of all rows began. */
  private bytesOwned = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  /** Ends when all running writes have ended. Writes run one after another, so that no row is written twice. */
  private underWay: Promise<unknown> = Promise.resolve();
  private queuedWrite: Promise<void> | null = null;
  private failure: Error | null = null;
  private closed = false;

  constructor(
    private readonly reader: Reader,
    private readonly writes: Pick<WriteQueue, 'submit' | 'sync'>,
    /** The other file, which has the documents that are written at once. */
    private readonly lasting: Pick<WriteQueue, 'sync'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Declares that the rows of a table are deferred. Later calls for the same table do not change its order. */
  defer(table: string, order: WriteOrder): void {
    if (!this.tables.has(table)) {
      this.tables.set(table, { order, pending: new PendingRows(), writing: new Map(), fresh: 0, dropped: false });
    }
  }

  /** Records that a table was created. */
  markCreated(table: string): void {
    const entry = this.tables.get(table);
    if (entry !== undefined) entry.dropped = false;
  }

  defers(table: string): boolean {
    return this.tables.has(table);
  }

  /** Rows of a table that are not in the file yet, by key; undefined if there are none. */
  pending(table: string): PendingRows | undefined {
    const pendingRows = this.tables.get(table)?.pending;
    return pendingRows === undefined || pendingRows.size === 0 ? undefined : pendingRows;
  }

  /** The known rows of a deferred table with these keys, removed ones included. */
  rows(table: string, keys: readonly string[]): Map<string, Row> {
    const results = new Map<string, Row>();
    const missingKeys: string[] = [];
    const pendingRows = this.pending(table);
    for (const key of keys) {
      const pendingRow = pendingRows?.get(key);
      const row = pendingRow === undefined ? this.bufferedRow(table, key) : pendingRow;
      if (row === undefined) missingKeys.push(key);
      else if (row !== null) results.set(key, row);
    }
    for (const { id, seq, doc } of rowsByKey<Row & KeyedRow>(this.reader, table, 'id, seq, doc', missingKeys)) {
      const row = { seq, doc };
      results.set(id, row);
      this.keepRow(table, id, row);
    }
    return results;
  }

  /**
   * Sets a row of a deferred table; null: removes it with its seq.
   *
   * @param doc the document of the row, if there is one
   */
  set(table: string, key: string, row: Row | null, doc?: Document): void {
    const entry = this.tables.get(table);
    if (entry === undefined) throw new Error(`rows of ${table} are not deferred`);
    if (entry.dropped) return;
    const before = entry.pending.get(key);
    // A row that is being written no longer counts as pending.
    const counted = before !== undefined && entry.writing.get(key) !== before;
    if (!counted) this.rowsWaiting += 1;
    entry.pending.set(key, row, doc);
    this.bytesWaiting += bytesOf(row) - (counted ? bytesOf(before) : 0);
    entry.fresh += bytesOf(row);
    const owner = ownerOfWork();
    if (owner !== '') this.bytesOwned.set(owner, (this.bytesOwned.get(owner) ?? 0) + bytesOf(row));
    // If this write fails, the next one writes these rows too.
    if (entry.fresh >= TABLE_BYTES_MAX && entry.order === 'first') this.writePending(table).catch(() => undefined);
    this.plan();
  }

  /**
   * Waits while too many rows are pending.
   *
   * @throws the error of the last write
   */
  async waitForSpace(): Promise<void> {
    const ownedBytes = this.bytesOwned.get(ownerOfWork()) ?? 0;
    if (this.bytesWaiting < (ownedBytes < BYTES_OWNED ? BYTES_FULL : BYTES_MAX)) return;
    if (this.failure !== null) throw this.failure;
    await this.flush();
  }

  /**
   * Call it after setting rows. A caller that sets thousands of rows waits until they are written. Otherwise later callers would wait: queries search
   * all pending rows, and some wait until these are written.
   *
   * @param many rows that the caller sets in all
   * @throws the error of the write
   */
  async spread(table: string, keys: readonly string[], many: number): Promise<void> {
    const entry = this.tables.get(table);
    if (many <= MANY || this.rowsWaiting <= ROWS_SHARED || entry?.order !== 'first') return;
    await this.enqueue(() => this.writeNow(table, entry, keys));
  }

  /**
   * Writes the pending rows of a table, so that the file can be searched.
   *
   * @throws the error of the write
   */
  async writePending(table: string): Promise<void> {
    const entry = this.tables.get(table);
    if (entry?.order !== 'first') return this.flush();
    const keys = [...entry.pending.keys()];
    entry.fresh = 0;
    await this.enqueue(() => this.writeNow(table, entry, keys));
  }

  private enqueue(write: () => Promise<void>): Promise<void> {
    const work = this.underWay.then(write);
    this.underWay = work.catch(() => undefined);
    return work;
  }

  private async writeNow(name: string, table: Table, keys: readonly string[]): Promise<void> {
    const batch = new Map(
      keys.flatMap((key) => {
        const row = table.pending.get(key);
        return row === undefined ? [] : [[key, row] as const];
      }),
    );
    if (batch.size === 0) return;
    await this.submitNewest([[name, table, batch]]);
    const movedBytes = await this.markWritten(name, table.pending, batch);
    this.rowsWaiting = Math.max(0, this.rowsWaiting - movedBytes);
    const bytes = [...batch.values()].reduce((sum, row) => sum + bytesOf(row), 0);
    this.bytesWaiting = Math.max(0, this.bytesWaiting - bytes);
  }

  /**
   * Writes the newest state of these rows, with other work in between. If another call has written a row, the row is no longer pending and is left
   * out. So the order of two writes of one row does not matter.
   */
  private async submitNewest(
    batch: readonly (readonly [name: string, table: Table, rows: ReadonlyMap<string, Row | null>])[],
  ): Promise<void> {
    const groups: TableRows[][] = [];
    const newest = batch.map(([name, { pending }, rows]) => [name, rows, (key: string) => pending.get(key)] as const);
    for (const rows of groupsOf(newest)) {
      if (groups.push(rows) % GROUPS_AT_ONCE === 0) await yieldToOthers();
    }
    // All groups are submitted together, so that they form few transactions. Each transaction writes most pages of the indexes that have another
    // order than the keys.
    await Promise.all(groups.map((rows) => this.writes.submit({ kind: 'rows', rows })));
  }

  /** The position of a group that is not in the file yet. */
  position(consumers: string): number | undefined {
    return this.positions.get(consumers)?.position;
  }

  setPosition(position: GroupPosition): void {
    this.positions.set(position.consumers, position);
    this.plan();
  }

  /** Writes and syncs all changes until now. Rejects if they could not be written; they are written again later. */
  flush(): Promise<void> {
    this.queuedWrite ??= this.enqueue(() => {
      this.queuedWrite = null;
      return this.write();
    });
    return this.queuedWrite;
  }

  /** Clears the cache, so that rows are read from the file again. */
  clearCache(): void {
    [this.newRows, this.olderRows, this.freshBytes] = [new Map(), new Map(), 0];
  }

  /** Drops the pending rows of a table that will be removed, and accepts no more. Resolves when no write to the table is running. */
  async drop(table: string): Promise<void> {
    const entry = this.tables.get(table);
    if (entry === undefined) return;
    entry.dropped = true;
    this.rowsWaiting -= entry.pending.size;
    entry.pending.clear();
    await this.underWay;
    for (const cache of [this.newRows, this.olderRows]) cache.delete(table);
  }

  /** Writes the pending rows; no writes may follow. */
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
    for (const [, table] of batch) [table.writing, table.fresh] = [new Map(table.pending), 0];
    const bytes = this.bytesWaiting;
    [this.rowsWaiting, this.bytesWaiting, this.bytesOwned] = [0, 0, new Map()];
    try {
      // The tables that describe rows come second. They must not be written if those rows failed.
      const of = (order: WriteOrder) => batch.filter(([, table]) => table.order === order);
      await this.submitNewest(of('first').map(([name, table]) => [name, table, table.writing]));
      // Writes their state from when the rows above were taken. Later changes may describe rows that are not in the file.
      const last = of('last').map(([name, { writing }]) => [name, writing, (key: string) => writing.get(key)] as const);
      await Promise.all([...groupsOf(last)].map((rows) => this.writes.submit({ kind: 'rows', rows })));
      if (positions.size === 0) await this.writes.sync();
      else {
        await this.lasting.sync();
        await this.writes.submit({ kind: 'positions', positions: [...positions.values()] });
      }
      this.failure = null;
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.rowsWaiting = batch.reduce((sum, [, { pending }]) => sum + pending.size, 0);
      this.bytesWaiting += bytes;
      throw error;
    } finally {
      if (this.failure === null) await this.written(batch, positions);
      for (const [, table] of batch) table.writing = new Map();
    }
  }

  private async written(
    batch: readonly (readonly [string, Table])[],
    positions: ReadonlyMap<string, GroupPosition>,
  ): Promise<void> {
    for (const [name, { pending, writing }] of batch) await this.markWritten(name, pending, writing);
    for (const [consumers, position] of positions) {
      if (this.positions.get(consumers) === position) this.positions.delete(consumers);
    }
  }

  /**
   * Records that rows were written. A row that was set again since then stays pending.
   *
   * @returns how many are no longer pending
   */
  private async markWritten(
    table: string,
    pendingRows: Map<string, Row | null>,
    writtenRows: ReadonlyMap<string, Row | null>,
  ): Promise<number> {
    let [looked, moved] = [0, 0];
    for (const [key, row] of writtenRows) {
      looked += 1;
      if (looked % PIECE_ROWS === 0) await yieldToOthers();
      if (pendingRows.get(key) !== row) continue;
      pendingRows.delete(key);
      moved += 1;
      if (row === null) this.forgetRow(table, key);
      else this.keepRow(table, key, { seq: row.seq, doc: row.doc });
    }
    return moved;
  }

  private bufferedRow(table: string, key: string): Row | undefined {
    const row = this.newRows.get(table)?.get(key);
    if (row !== undefined) return row;
    const olderRow = this.olderRows.get(table)?.get(key);
    if (olderRow !== undefined) this.keepRow(table, key, olderRow);
    return olderRow;
  }

  private keepRow(table: string, key: string, row: Row): void {
    this.olderRows.get(table)?.delete(key);
    this.freshBytes += key.length + bytesOf(row) + 100;
    const tableRows = this.newRows.get(table) ?? new Map<string, Row>();
    this.newRows.set(table, tableRows.set(key, row));
    if (this.freshBytes < CACHED_BYTES) return;
    [this.olderRows, this.newRows, this.freshBytes] = [this.newRows, new Map(), 0];
  }

  private forgetRow(table: string, key: string): void {
    for (const cache of [this.newRows, this.olderRows]) cache.get(table)?.delete(key);
  }
}

/**
 * Splits rows into groups, one operation each. The rows are sorted by key, so that neighbours in the file are written together.
 *
 * @param tables name, rows, and a function that returns a row when its group is made; undefined: the row is left out
 */
function* groupsOf(
  tables: readonly (readonly [
    name: string,
    rows: ReadonlyMap<string, unknown>,
    rowOf: (key: string) => Row | null | undefined,
  ])[],
): Iterable<TableRows[]> {
  let group: TableRows[] = [];
  let remainingRows = PIECE_ROWS;
  for (const [table, rows, rowOf] of tables) {
    const keys = [...rows.keys()].sort();
    for (let from = 0; from < keys.length;) {
      const some = keys.slice(from, from + remainingRows);
      group.push({ table, cells: some.flatMap((key) => cellsOf(key, rowOf(key))) });
      from += some.length;
      remainingRows -= some.length;
      if (remainingRows > 0) continue;
      yield group;
      [group, remainingRows] = [[], PIECE_ROWS];
    }
  }
  if (group.length > 0) yield group;
}

/** An estimate: the size of the document. */
function bytesOf(row: Row | null): number {
  return row?.doc?.length ?? 0;
}

function cellsOf(key: string, row: Row | null | undefined): TableRows['cells'] {
  if (row === undefined) return [];
  return row === null ? [key, null, null] : [key, row.seq, row.doc];
}
