import { othersFirst, pieces } from '@assurance/kernel';
import type {
  Collection,
  CollectionDefinition,
  Document,
  DocumentPage,
  Documents,
  Found,
  Part,
  Query,
  Write,
} from '@assurance/storage-ports';
import { type Clause, indexSql, matchesNothing, selectSql, type Table, tableOf, valueByValue } from './index-sql';
import { fromKey, toKey } from './key';
import type { RowChange, RowWrite } from './operations';
import type { Value } from './connection';
import { inOrder, matches } from './pending-query';
import type { Reader } from './reader';
import type { Store } from './store';
import { documentOf, type PendingRows, type Row as BufferedRow } from './pending-rows';
import type { WriteBehind } from './write-behind';
import { rowsByKey } from './rows-by-key';
import type { WriteQueue } from './write-queue';

const IDS_MAX = 1_000;
const LIMIT_MAX = 1_000;
/** A long write goes in pieces, so that appends need not wait for all of it. */
const PIECE = 250;
/** So many rows are taken from the other file at a time. */
const ADOPTED = 2_000;
/** So many rows that are not in the file yet are searched in memory. More are written first: the file has indexes. */
const SEARCHED = 500;

/** Documents in the SQLite files: one table a collection, with an index for each that is declared, over expressions or over columns. */
export class SqliteDocuments implements Documents {
  /** Collections that this process has used: their indexes are those of all definitions together. */
  private readonly used = new Set<string>();
  /** By definition: callers ask for a collection at every use, and its table is made once. */
  private readonly open = new WeakMap<object, unknown>();
  /** By table and definition: whether the table is made, or being made. */
  private readonly made = new Map<string, Map<object, Promise<unknown>>>();

  constructor(
    private readonly lasting: Store,
    private readonly derived: Store,
    private readonly behind: WriteBehind,
  ) {}

  collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T> {
    const known = this.open.get(definition) as Collection<T> | undefined;
    if (known !== undefined) return known;
    const table = tableOf(definition);
    if (definition.deferred !== undefined) this.behind.defer(table.name, definition.deferred);
    const ready = () => this.ready(table, definition);
    const collection = new SqliteCollection<T>(definition, this.storeOf(definition), this.behind, ready);
    this.open.set(definition, collection);
    return collection;
  }

  async writeInOrder(steps: readonly (readonly Part[])[]): Promise<void> {
    let lasting: Part[] = [];
    let deferred = false;
    for (const part of steps.flat()) {
      if (part.writes.length === 0) continue;
      const collection = this.collection(part.collection);
      if (!this.behind.defers(tableOf(part.collection).name)) {
        // Later writes must not reach the file before earlier ones.
        if (deferred) await this.behind.flush();
        deferred = false;
        lasting.push(part);
        continue;
      }
      await this.writeParts(lasting);
      lasting = [];
      deferred = true;
      await collection.write(part.writes);
    }
    await this.writeParts(lasting);
  }

  async persist(): Promise<void> {
    await this.behind.flush();
    this.behind.clearCache();
  }

  private async writeParts(parts: readonly Part[]): Promise<void> {
    if (parts.reduce((sum, { writes }) => sum + writes.length, 0) > PIECE) {
      // Piece after piece: all at once would be one group, and appends wait for all of it.
      for (const { collection, writes } of parts) {
        for (let from = 0; from < writes.length; from += PIECE) {
          await this.collection(collection).write(writes.slice(from, from + PIECE));
        }
      }
      return;
    }
    const tables = parts.map(({ collection, writes }) => ({ collection, table: tableOf(collection), writes }));
    for (const { collection, table } of tables) await this.ready(table, collection);
    const rows = tables.map(({ table, writes }) => ({ table: table.name, writes: writes.map(rowOf) }));
    if (rows.length > 0) await this.lasting.writes.submit({ kind: 'parts', parts: rows });
  }

  async drop(definition: CollectionDefinition<Document>): Promise<void> {
    const { name: table } = tableOf(definition);
    const own = this.storeOf(definition).writes;
    await this.behind.drop(table);
    if (own !== this.lasting.writes) await this.dropOlder(table);
    await empty(own, table);
    const dropped = own.submit({ kind: 'drop', table });
    // From now on it is made again before it is used, behind the drop in the queue.
    this.made.delete(table);
    this.used.delete(table);
    await dropped;
  }

  private storeOf({ deferred }: CollectionDefinition<Document>): Store {
    return deferred === undefined ? this.lasting : this.derived;
  }

  private ready(table: Table, definition: CollectionDefinition<Document>): Promise<unknown> {
    const known = this.made.get(table.name) ?? new Map<object, Promise<unknown>>();
    this.made.set(table.name, known);
    const made = known.get(definition) ?? this.make(table, definition);
    if (!known.has(definition)) {
      known.set(definition, made);
      made.catch(() => known.delete(definition));
    }
    return made;
  }

  /** Takes the rows that an older release kept in the other file, in pieces with turns for others. */
  private async adopt(table: string): Promise<void> {
    const next = () => this.derived.writes.submit({ kind: 'adopt', table, rows: ADOPTED });
    let taken = await next();
    while (taken === 'more') taken = await next();
    if (taken === 'all') await this.dropOlder(table);
  }

  /** Drops a deferred table from the file in which an older release kept it. */
  private async dropOlder(table: string): Promise<void> {
    await empty(this.lasting.writes, table);
    await this.lasting.writes.submit({ kind: 'drop', table });
  }

  private async make({ name, columns }: Table, definition: CollectionDefinition<Document>): Promise<void> {
    const complete = !this.used.has(name);
    this.used.add(name);
    this.behind.made(name);
    const indexes = definition.indexes.map((index) => indexSql(tableOf(definition), index));
    const { writes } = this.storeOf(definition);
    if (definition.deferred !== undefined) await this.adopt(name);
    const make = (filled: boolean) =>
      writes.submit({ kind: 'collection', table: name, columns: columns ?? [], indexes, complete, filled });
    if (!(await make(false))) return;
    // Rows that an older release wrote, or with other indexes. Whoever asks for the collection waits, and everybody else has turns.
    const fill = (after: number) => writes.submit({ kind: 'fill', table: name, after, rows: PIECE });
    for (let last = await fill(0); last !== null;) last = await fill(last);
    await make(true);
  }
}

/** Removes the rows of a table in pieces, until it is small enough to be dropped at once. */
async function empty(writes: WriteQueue, table: string): Promise<void> {
  // Whole indexes go in a millisecond for some thousand rows; row by row they would take a hundred times as long.
  while (await writes.submit({ kind: 'unindex', table }));
  while (await writes.submit({ kind: 'clear', table, rows: PIECE }));
}

interface Row {
  readonly id: string;
  readonly rev: number;
  readonly doc: string | null;
}

class SqliteCollection<T extends Document> implements Collection<T> {
  private readonly table: string;
  private readonly reader: Reader;
  private readonly writes: WriteQueue;

  constructor(
    private readonly definition: CollectionDefinition<T>,
    { reader, writes }: Store,
    private readonly behind: WriteBehind,
    private readonly ready: () => Promise<unknown>,
  ) {
    this.reader = reader;
    this.writes = writes;
    this.table = tableOf(definition).name;
  }

  async get(id: string): Promise<T | null> {
    await this.ready();
    if (this.deferred) return parsed<T>(this.behind.rows(this.table, [toKey(id)]).get(toKey(id)));
    const row = this.reader.get<Row>(`SELECT doc FROM ${this.table} WHERE id = ?`, [toKey(id)]);
    return row?.doc == null ? null : (JSON.parse(row.doc) as T);
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, T>> {
    await this.ready();
    const found = new Map<string, T>();
    if (this.deferred) {
      for (const [key, row] of this.deferredRows(ids)) {
        const doc = parsed<T>(row);
        if (doc !== null) found.set(fromKey(key), doc);
      }
      return found;
    }
    for (const { id, doc } of this.rows(ids)) if (doc !== null) found.set(fromKey(id), JSON.parse(doc) as T);
    return found;
  }

  async find(query: Query): Promise<Found<T>[]> {
    const { where, order, skip = 0, limit } = query;
    if (!(limit >= 1 && limit <= LIMIT_MAX)) throw new RangeError(`a limit is 1 to ${LIMIT_MAX}, not ${limit}`);
    const few = skip > 0 ? null : valueByValue(where);
    const selects =
      few === null || few.length === 0
        ? [selectSql('id, doc', this.definition, query)]
        : few.map((one) => selectSql('id, doc', this.definition, { where: one, order, limit }));
    await this.ready();
    if (matchesNothing(where)) return [];
    const select = (): Found<T>[] => {
      const found = selects.flatMap((one) => this.select(one));
      if (selects.length === 1) return found;
      const compare = inOrder(order);
      return found.sort((a, b) => compare(a.doc, b.doc)).slice(0, limit);
    };
    const pending = this.behind.pending(this.table);
    if (pending === undefined) return select();
    const waiting = skip > 0 ? null : pending.candidates(where);
    const all = waiting === null || waiting.length > SEARCHED ? null : withPending(select(), pending, waiting, query);
    if (all !== null) return all;
    await this.behind.settle(this.table);
    return select();
  }

  async count(where: Query['where']): Promise<number> {
    const { sql, values } = selectSql('count(*) AS many', this.definition, { where });
    await this.ready();
    if (matchesNothing(where)) return 0;
    const pending = this.behind.pending(this.table);
    const counted = (text: string, all: readonly Value[]) => this.reader.get<{ many: number }>(text, all)?.many ?? 0;
    if (pending === undefined) return counted(sql, values);
    if (pending.size > SEARCHED) {
      await this.behind.settle(this.table);
      return counted(sql, values);
    }
    // Pending rows override rows of the file. A row that is being written may be in both.
    const waiting = [...pending.values()].filter((row) => isWanted(row, where)).length;
    const others = `${sql} AND id NOT IN (SELECT value FROM json_each(?))`;
    return waiting + counted(others, [...values, JSON.stringify([...pending.keys()])]);
  }

  async scan(after: string | null, limit: number): Promise<DocumentPage<T>> {
    if (!(limit >= 1 && limit <= LIMIT_MAX)) throw new RangeError(`a limit is 1 to ${LIMIT_MAX}, not ${limit}`);
    await this.ready();
    await this.allWritten();
    const beyond = after === null ? '>=' : '>';
    const rows = this.reader.all<{ id: string; doc: string }>(
      `SELECT id, doc FROM ${this.table} WHERE doc IS NOT NULL AND id ${beyond} ? ORDER BY id LIMIT ? + 0`,
      [after ?? '', limit],
    );
    const found = rows.map(({ id, doc }) => ({ id: fromKey(id), doc: JSON.parse(doc) as T }));
    return { found, next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null };
  }

  async write(writes: readonly Write<T>[]): Promise<void> {
    if (this.deferred) return this.writeBehind(writes);
    const rows = writes.map(rowOf);
    await this.ready();
    await inPieces(rows, (piece) => this.writes.submit({ kind: 'write', table: this.table, writes: piece }));
  }

  async merge(ids: readonly string[], change: (current: T | null, id: string) => T | undefined): Promise<void> {
    await this.ready();
    if (this.deferred) return this.mergeBehind([...new Set(ids)], change);
    // Each round writes at least one change, so this ends. A document that lost the race is read and changed again.
    for (let left = [...new Set(ids)]; left.length > 0;) {
      const rows = new Map(this.rows(left).map((row) => [fromKey(row.id), row]));
      const changes = left.flatMap((id): RowChange[] => {
        const row = rows.get(id);
        const next = change(row?.doc == null ? null : (JSON.parse(row.doc) as T), id);
        return next === undefined ? [] : [{ id: toKey(id), rev: row?.rev ?? null, doc: JSON.stringify(next) }];
      });
      const submit = (piece: RowChange[]) => this.writes.submit({ kind: 'merge', table: this.table, changes: piece });
      const written = (await inPieces(changes, submit)).flat();
      left = changes.filter((_, i) => written[i] !== true).map(({ id }) => fromKey(id));
    }
  }

  private select({ sql, values }: Clause): Found<T>[] {
    return this.reader
      .all<{ id: string; doc: string }>(sql, values)
      .map(({ id, doc }) => ({ id: fromKey(id), doc: JSON.parse(doc) as T }));
  }

  private get deferred(): boolean {
    return this.behind.defers(this.table);
  }

  private async allWritten(): Promise<void> {
    if (this.behind.pending(this.table) !== undefined) await this.behind.settle(this.table);
  }

  private async writeBehind(writes: readonly Write<T>[]): Promise<void> {
    await this.ready();
    for (const [i, piece] of pieces(writes, PIECE).entries()) {
      if (i > 0) await othersFirst();
      await this.behind.room();
      const keys = piece.map(({ id }) => toKey(id));
      const rows = this.behind.rows(this.table, keys);
      for (const write of piece) {
        const key = toKey(write.id);
        const after = rowAfter(rows.get(key), write);
        if (after === undefined) continue;
        this.behind.set(this.table, key, after);
        if (after === null) rows.delete(key);
        else rows.set(key, after);
      }
      await this.behind.spread(this.table, keys, writes.length);
    }
  }

  /** The changes happen in one turn of the event loop, so nobody writes in between. */
  private async mergeBehind(
    ids: readonly string[],
    change: (current: T | null, id: string) => T | undefined,
  ): Promise<void> {
    await this.behind.room();
    const rows = this.deferredRows(ids);
    for (const id of ids) {
      const key = toKey(id);
      const row = rows.get(key);
      const next = change(parsed<T>(row), id);
      if (next !== undefined) this.behind.set(this.table, key, { seq: row?.seq ?? -1, doc: JSON.stringify(next) });
    }
    await this.behind.spread(this.table, ids.map(toKey), ids.length);
  }

  private deferredRows(ids: readonly string[]): Map<string, BufferedRow> {
    inBounds(ids);
    return this.behind.rows(this.table, ids.map(toKey));
  }

  private rows(ids: readonly string[]): Row[] {
    inBounds(ids);
    return rowsByKey<Row>(this.reader, this.table, 'id, rev, doc', ids.map(toKey));
  }
}

function inBounds(ids: readonly string[]): void {
  if (ids.length > IDS_MAX) throw new RangeError(`at most ${IDS_MAX} ids a call, not ${ids.length}`);
}

function parsed<T>(row: BufferedRow | undefined): T | null {
  return row?.doc == null ? null : (JSON.parse(row.doc) as T);
}

/** A deferred row after a write; null: none, undefined: it stays as it is. */
function rowAfter(row: BufferedRow | undefined, write: Write<Document>): BufferedRow | null | undefined {
  switch (write.kind) {
    case 'put':
      return { seq: row?.seq ?? -1, doc: JSON.stringify(write.doc) };
    case 'forward':
    case 'remove':
      if (row !== undefined && row.seq >= write.seq) return undefined;
      return { seq: write.seq, doc: write.kind === 'forward' ? JSON.stringify(write.doc) : null };
    case 'forget':
      return null;
  }
}

/** Merges rows of the file with pending rows; null if the result may exceed the limit of the query. */
function withPending<T extends Document>(
  found: readonly Found<T>[],
  pending: PendingRows,
  waiting: readonly string[],
  { where, order, limit }: Query,
): Found<T>[] | null {
  const fresh: Found<T>[] = [];
  for (const key of waiting) {
    const row = pending.get(key) ?? null;
    const doc = isWanted(row, where) ? parsed<T>(row ?? undefined) : null;
    if (doc !== null) fresh.push({ id: fromKey(key), doc });
  }
  const stored = found.filter(({ id }) => !pending.has(toKey(id)));
  if (fresh.length === 0 && stored.length === found.length) return [...found];
  if (found.length === limit || stored.length + fresh.length >= limit) return null;
  const compare = inOrder(order);
  return [...stored, ...fresh].sort((a, b) => compare(a.doc, b.doc));
}

/** Whether a row that waits is one that a query asks for. */
function isWanted(row: BufferedRow | null, where: Query['where']): boolean {
  const doc = documentOf(row);
  return doc !== null && matches(doc, where);
}

function rowOf(write: Write<Document>): RowWrite {
  const id = toKey(write.id);
  switch (write.kind) {
    case 'put':
      return { kind: 'put', id, doc: JSON.stringify(write.doc) };
    case 'forward':
      return { kind: 'forward', id, seq: write.seq, doc: JSON.stringify(write.doc) };
    case 'remove':
      return { kind: 'remove', id, seq: write.seq };
    case 'forget':
      return { kind: 'forget', id };
  }
}

function inPieces<Item, Outcome>(
  items: readonly Item[],
  submit: (piece: Item[]) => Promise<Outcome>,
): Promise<Outcome[]> {
  const pieces: Promise<Outcome>[] = [];
  for (let from = 0; from < items.length; from += PIECE) pieces.push(submit(items.slice(from, from + PIECE)));
  return Promise.all(pieces);
}
