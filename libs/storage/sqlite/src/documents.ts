import { indexFor } from '@assurance/storage-ports';
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
import { fromWhere, indexSql, matchesNothing, orderSql, tableOf } from './index-sql';
import { fromKey, toKey } from './key';
import type { RowChange, RowWrite } from './operations';
import type { Reader } from './reader';
import type { WriteQueue } from './write-queue';

const IDS_MAX = 1_000;
const LIMIT_MAX = 1_000;
/** A long write goes in pieces, so that appends need not wait for all of it. */
const PIECE = 250;

/** Documents in the SQLite file: one table a collection, with an index over expressions for each that is declared. */
export class SqliteDocuments implements Documents {
  /** Collections that this process has used: their indexes are those of all definitions together. */
  private readonly used = new Set<string>();
  /** By definition: callers ask for a collection at every use, and its table is made once. */
  private readonly open = new WeakMap<object, unknown>();
  /** By table and definition: whether the table is made, or being made. */
  private readonly made = new Map<string, Map<object, Promise<unknown>>>();

  constructor(
    private readonly reader: Reader,
    private readonly writes: WriteQueue,
  ) {}

  collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T> {
    const known = this.open.get(definition) as Collection<T> | undefined;
    if (known !== undefined) return known;
    const table = tableOf(definition);
    const ready = () => this.ready(table, definition);
    const collection = new SqliteCollection<T>(definition, table, this.reader, this.writes, ready);
    this.open.set(definition, collection);
    return collection;
  }

  async writeInOrder(steps: readonly (readonly Part[])[]): Promise<void> {
    const parts = steps.flat().filter(({ writes }) => writes.length > 0);
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
    const rows = tables.map(({ table, writes }) => ({ table, writes: writes.map(rowOf) }));
    if (rows.length > 0) await this.writes.submit({ kind: 'parts', parts: rows });
  }

  async drop(definition: CollectionDefinition<Document>): Promise<void> {
    const table = tableOf(definition);
    // Made first: a collection that nobody used is dropped like any other.
    await this.ready(table, definition);
    // Whole indexes go in a millisecond for some thousand rows; row by row they would take a hundred times as long.
    while (await this.writes.submit({ kind: 'unindex', table }));
    while ((await this.writes.submit({ kind: 'clear', table, rows: PIECE })) === PIECE);
    const dropped = this.writes.submit({ kind: 'drop', table });
    // From now on it is made again before it is used, behind the drop in the queue.
    this.made.delete(table);
    this.used.delete(table);
    await dropped;
  }

  private ready(table: string, definition: CollectionDefinition<Document>): Promise<unknown> {
    const known = this.made.get(table) ?? new Map<object, Promise<unknown>>();
    this.made.set(table, known);
    const made = known.get(definition) ?? this.make(table, definition);
    if (!known.has(definition)) {
      known.set(definition, made);
      made.catch(() => known.delete(definition));
    }
    return made;
  }

  private make(table: string, definition: CollectionDefinition<Document>): Promise<unknown> {
    const complete = !this.used.has(table);
    this.used.add(table);
    const indexes = definition.indexes.map((index) => indexSql(table, index));
    return this.writes.submit({ kind: 'collection', table, indexes, complete });
  }
}

interface Row {
  readonly id: string;
  readonly rev: number;
  readonly doc: string | null;
}

class SqliteCollection<T extends Document> implements Collection<T> {
  constructor(
    private readonly definition: CollectionDefinition<T>,
    private readonly table: string,
    private readonly reader: Reader,
    private readonly writes: WriteQueue,
    private readonly ready: () => Promise<unknown>,
  ) {}

  async get(id: string): Promise<T | null> {
    await this.ready();
    const row = this.reader.get<Row>(`SELECT doc FROM ${this.table} WHERE id = ?`, [toKey(id)]);
    return row?.doc == null ? null : (JSON.parse(row.doc) as T);
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, T>> {
    await this.ready();
    const found = new Map<string, T>();
    for (const { id, doc } of this.rows(ids)) if (doc !== null) found.set(fromKey(id), JSON.parse(doc) as T);
    return found;
  }

  async find(query: Query): Promise<Found<T>[]> {
    const { where, order, skip = 0, limit } = query;
    if (!(limit >= 1 && limit <= LIMIT_MAX)) throw new RangeError(`a limit is 1 to ${LIMIT_MAX}, not ${limit}`);
    const from = fromWhere(this.table, indexFor(this.definition, query), where);
    await this.ready();
    if (matchesNothing(where)) return [];
    return this.reader
      .all<{ id: string; doc: string }>(`SELECT id, doc${from.sql}${orderSql(order)} LIMIT ? OFFSET ?`, [
        ...from.values,
        limit,
        skip,
      ])
      .map(({ id, doc }) => ({ id: fromKey(id), doc: JSON.parse(doc) as T }));
  }

  async count(where: Query['where']): Promise<number> {
    const from = fromWhere(this.table, indexFor(this.definition, { where }), where);
    await this.ready();
    if (matchesNothing(where)) return 0;
    return this.reader.get<{ many: number }>(`SELECT count(*) AS many${from.sql}`, from.values)?.many ?? 0;
  }

  async scan(after: string | null, limit: number): Promise<DocumentPage<T>> {
    if (!(limit >= 1 && limit <= LIMIT_MAX)) throw new RangeError(`a limit is 1 to ${LIMIT_MAX}, not ${limit}`);
    await this.ready();
    const beyond = after === null ? '>=' : '>';
    const rows = this.reader.all<{ id: string; doc: string }>(
      `SELECT id, doc FROM ${this.table} WHERE doc IS NOT NULL AND id ${beyond} ? ORDER BY id LIMIT ?`,
      [after ?? '', limit],
    );
    const found = rows.map(({ id, doc }) => ({ id: fromKey(id), doc: JSON.parse(doc) as T }));
    return { found, next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null };
  }

  async write(writes: readonly Write<T>[]): Promise<void> {
    const rows = writes.map(rowOf);
    await this.ready();
    await inPieces(rows, (piece) => this.writes.submit({ kind: 'write', table: this.table, writes: piece }));
  }

  async merge(ids: readonly string[], change: (current: T | null, id: string) => T | undefined): Promise<void> {
    await this.ready();
    // In each round somebody's change is written, so this ends: a document that lost is read and changed again.
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

  private rows(ids: readonly string[]): Row[] {
    if (ids.length > IDS_MAX) throw new RangeError(`at most ${IDS_MAX} ids a call, not ${ids.length}`);
    const sql = `SELECT id, rev, doc FROM ${this.table} WHERE id IN (SELECT value FROM json_each(?))`;
    return this.reader.all<Row>(sql, [JSON.stringify(ids.map(toKey))]);
  }
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
