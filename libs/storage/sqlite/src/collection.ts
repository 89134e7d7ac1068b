import { yieldToOthers, pause, pieces } from '@assurance/kernel';
import type {
  Collection,
  CollectionDefinition,
  Document,
  DocumentPage,
  StoredDocument,
  Query,
  Write,
} from '@assurance/storage-ports';
import type { Value } from './connection';
import { type Clause, matchesNothing, selectSql, tableOf, valueByValue } from './index-sql';
import { fromKey, toKey } from './key';
import type { RowChange, RowWrite } from './operations';
import { comparatorOf, type Matcher, matcherOf } from './pending-query';
import { documentOf, type PendingRows, type Row as BufferedRow } from './pending-rows';
import type { Reader } from './reader';
import { rowsByKey } from './rows-by-key';
import type { Store } from './store';
import type { WriteBehind } from './write-behind';
import type { WriteQueue } from './write-queue';

const IDS_MAX = 1_000;
const LIMIT_MAX = 1_000;
/** Rows of one piece of a long write. Appends wait for one piece only, not for the whole write. */
export const PIECE = 250;
/**
 * The most pending rows that a query searches in memory. More rows are written to the file first, which has indexes.
 */
const SEARCHED = 500;
/**
 * How many documents are parsed before other work may run. Together they take less than a millisecond, unless they are
 * large.
 */
const PARSED_TOGETHER = 16;

interface Row {
  readonly id: string;
  readonly rev: number;
  readonly doc: string | null;
}

/** A row that a query found, by its key. */
type MatchedRow = Pick<BufferedRow, 'doc'> & { readonly id: string };

/** One collection: a table of one of the files, and its pending rows. */
export class SqliteCollection<T extends Document> implements Collection<T> {
  private readonly table: string;
  private readonly reader: Reader;
  private readonly writes: WriteQueue;

  constructor(
    private readonly definition: CollectionDefinition<T>,
    { reader, writes }: Store,
    private readonly deferredWrites: WriteBehind,
    private readonly ready: () => Promise<unknown>,
  ) {
    this.reader = reader;
    this.writes = writes;
    this.table = tableOf(definition).name;
  }

  async get(id: string): Promise<T | null> {
    await this.ready();
    if (this.isDeferred) return parseRow<T>(this.deferredWrites.rows(this.table, [toKey(id)]).get(toKey(id)));
    const row = this.reader.get<Row>(`SELECT doc FROM ${this.table} WHERE id = ?`, [toKey(id)]);
    return row?.doc == null ? null : (JSON.parse(row.doc) as T);
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, T>> {
    await this.ready();
    const rows: MatchedRow[] = [];
    if (this.isDeferred) for (const [id, { doc }] of this.deferredRows(ids)) rows.push({ id, doc });
    const parsed = parsedRows<T>(this.isDeferred ? rows : this.rows(ids));
    const results = new Map<string, T>();
    for (const { id, doc } of parsed instanceof Promise ? await parsed : parsed) results.set(id, doc);
    return results;
  }

  async find(query: Query): Promise<StoredDocument<T>[]> {
    const { where, order, skip = 0, limit } = query;
    if (!(limit >= 1 && limit <= LIMIT_MAX)) throw new RangeError(`a limit is 1 to ${LIMIT_MAX}, not ${limit}`);
    const valuesByField = skip > 0 ? null : valueByValue(where);
    const selects =
      valuesByField === null || valuesByField.length === 0
        ? [selectSql('id, doc', this.definition, query)]
        : valuesByField.map((condition) => selectSql('id, doc', this.definition, { where: condition, order, limit }));
    await this.ready();
    if (matchesNothing(where)) return [];
    const select = () => selects.flatMap((statement) => this.select(statement));
    const combineMatches = async ({
      storedRows,
      pendingDocuments,
      full,
    }: QueryMatches): Promise<StoredDocument<T>[] | null> => {
      const parsed = parsedRows<T>(storedRows);
      const results = parsed instanceof Promise ? await parsed : parsed;
      if (pendingDocuments.length === 0 && selects.length === 1) return results;
      const compare = comparatorOf(order);
      const all = [...results, ...(pendingDocuments as StoredDocument<T>[])].sort((a, b) => compare(a.doc, b.doc));
      const [last, next] = [all[limit - 1], all[limit]];
      if (full && last !== undefined && next !== undefined && compare(last.doc, next.doc) === 0) return null;
      return all.slice(0, limit);
    };
    const inFile = async () =>
      (await combineMatches({ storedRows: select(), pendingDocuments: [], full: false })) ?? [];
    const pendingRows = this.deferredWrites.pending(this.table);
    if (pendingRows === undefined) return inFile();
    if (skip === 0) {
      for (let index = pendingRows.indexInSlices(where); index !== undefined; index = pendingRows.indexInSlices(where))
        await index;
    }
    // Nothing is awaited from here on, so rows of the file and pending rows have the same moment.
    const candidateIds = skip > 0 ? null : pendingRows.candidates(where);
    const all =
      candidateIds === null || candidateIds.length > SEARCHED
        ? null
        : withPending(select(), pendingRows, candidateIds, query, this.sortsAsPending(order));
    const results = all === null ? null : await combineMatches(all);
    if (results !== null) return results;
    await this.deferredWrites.writePending(this.table);
    return inFile();
  }

  async count(where: Query['where']): Promise<number> {
    const { sql, values } = selectSql('count(*) AS many', this.definition, { where });
    await this.ready();
    if (matchesNothing(where)) return 0;
    const pendingRows = this.deferredWrites.pending(this.table);
    const countRows = (text: string, all: readonly Value[]) => this.reader.get<{ many: number }>(text, all)?.many ?? 0;
    if (pendingRows === undefined) return countRows(sql, values);
    if (pendingRows.size > SEARCHED) {
      await this.deferredWrites.writePending(this.table);
      return countRows(sql, values);
    }
    // Pending rows override rows of the file. A row that is being written may be in both.
    const matches = matcherOf(where);
    const pendingCount = [...pendingRows.values()].filter((row) => rowMatches(row, matches)).length;
    const otherRowsSql = `${sql} AND id NOT IN (SELECT value FROM json_each(?))`;
    return pendingCount + countRows(otherRowsSql, [...values, JSON.stringify([...pendingRows.keys()])]);
  }

  async scan(after: string | null, limit: number): Promise<DocumentPage<T>> {
    if (!(limit >= 1 && limit <= LIMIT_MAX)) throw new RangeError(`a limit is 1 to ${LIMIT_MAX}, not ${limit}`);
    await this.ready();
    await this.writeAllPending();
    const operator = after === null ? '>=' : '>';
    const rows = this.reader.all<{ id: string; doc: string }>(
      `SELECT id, doc FROM ${this.table} WHERE doc IS NOT NULL AND id ${operator} ? ORDER BY id LIMIT ? + 0`,
      [after ?? '', limit],
    );
    const results = rows.map(({ id, doc }) => ({ id: fromKey(id), doc: JSON.parse(doc) as T }));
    return { documents: results, next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null };
  }

  async write(writes: readonly Write<T>[]): Promise<void> {
    if (this.isDeferred) return this.writeBehind(writes);
    const rows = writes.map(rowOf);
    await this.ready();
    await inPieces(rows, (piece) => this.writes.submit({ kind: 'write', table: this.table, writes: piece }));
  }

  async merge(ids: readonly string[], change: (current: T | null, id: string) => T | undefined): Promise<void> {
    await this.ready();
    if (this.isDeferred) return this.mergeBehind([...new Set(ids)], change);
    // Each round writes at least one change, so the loop ends. A change that failed because another write came first is read and made again.
    for (let remainingIds = [...new Set(ids)]; remainingIds.length > 0;) {
      const rows = new Map(this.rows(remainingIds).map((row) => [fromKey(row.id), row]));
      const changes = remainingIds.flatMap((id): RowChange[] => {
        const row = rows.get(id);
        const next = change(row?.doc == null ? null : (JSON.parse(row.doc) as T), id);
        return next === undefined ? [] : [{ id: toKey(id), rev: row?.rev ?? null, doc: JSON.stringify(next) }];
      });
      const submit = (piece: RowChange[]) => this.writes.submit({ kind: 'merge', table: this.table, changes: piece });
      const written = (await inPieces(changes, submit)).flat();
      remainingIds = changes.filter((_, i) => written[i] !== true).map(({ id }) => fromKey(id));
    }
  }

  /** Whether the file and `comparatorOf` sort a list in the same way. Ids of different forms sort differently. */
  private sortsAsPending(order: Query['order']): boolean {
    return order !== undefined && !order.some(([path]) => this.definition.ids?.includes(path));
  }

  private select({ sql, values }: Clause): MatchedRow[] {
    return this.reader.all<MatchedRow>(sql, values);
  }

  private get isDeferred(): boolean {
    return this.deferredWrites.defers(this.table);
  }

  private async writeAllPending(): Promise<void> {
    if (this.deferredWrites.pending(this.table) !== undefined) await this.deferredWrites.writePending(this.table);
  }

  private async writeBehind(writes: readonly Write<T>[]): Promise<void> {
    await this.ready();
    for (const [i, piece] of pieces(writes, PIECE).entries()) {
      if (i > 0) await yieldToOthers();
      await this.deferredWrites.waitForSpace();
      const keys = piece.map(({ id }) => toKey(id));
      const rows = this.deferredWrites.rows(this.table, keys);
      for (const write of piece) {
        const key = toKey(write.id);
        const after = rowAfter(rows.get(key), write);
        if (after === undefined) continue;
        this.deferredWrites.set(this.table, key, after, 'doc' in write ? write.doc : undefined);
        if (after === null) rows.delete(key);
        else rows.set(key, after);
      }
      await this.deferredWrites.spread(this.table, keys, writes.length);
    }
  }

  /** All changes happen in one turn of the event loop, so no other write comes in between. */
  private async mergeBehind(
    ids: readonly string[],
    change: (current: T | null, id: string) => T | undefined,
  ): Promise<void> {
    await this.deferredWrites.waitForSpace();
    const rows = this.deferredRows(ids);
    for (const id of ids) {
      const key = toKey(id);
      const row = rows.get(key);
      const next = change(parseRow<T>(row), id);
      if (next === undefined) continue;
      this.deferredWrites.set(this.table, key, { seq: row?.seq ?? -1, doc: JSON.stringify(next) }, next);
    }
    await this.deferredWrites.spread(this.table, ids.map(toKey), ids.length);
  }

  private deferredRows(ids: readonly string[]): Map<string, BufferedRow> {
    checkCount(ids);
    return this.deferredWrites.rows(this.table, ids.map(toKey));
  }

  private rows(ids: readonly string[]): Row[] {
    checkCount(ids);
    return rowsByKey<Row>(this.reader, this.table, 'id, rev, doc', ids.map(toKey));
  }
}

function checkCount(ids: readonly string[]): void {
  if (ids.length > IDS_MAX) throw new RangeError(`at most ${IDS_MAX} ids a call, not ${ids.length}`);
}

function parseRow<T>(row: BufferedRow | undefined): T | null {
  return row?.doc == null ? null : (JSON.parse(row.doc) as T);
}

/** The state of a deferred row after a write. Null: it is removed. Undefined: it stays unchanged. */
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

/** What a query found at one moment: rows of the file, and documents that are not in it yet. */
interface QueryMatches {
  readonly storedRows: readonly MatchedRow[];
  readonly pendingDocuments: readonly StoredDocument<Document>[];
  /** Whether they may exceed the limit. Then they are a page only if its last document does not sort like the next one. */
  readonly full: boolean;
}

/**
 * Adds pending rows to rows of the file; null if a row of the file beyond the limit may belong to the page.
 *
 * @param isOrdered whether the file and pending rows sort in the same way
 */
function withPending(
  matchedRows: readonly MatchedRow[],
  pendingRows: PendingRows,
  candidateIds: readonly string[],
  { where, limit }: Query,
  isOrdered: boolean,
): QueryMatches | null {
  const pendingDocuments: StoredDocument<Document>[] = [];
  const matches = matcherOf(where);
  for (const key of candidateIds) {
    const doc = matchingCopy(pendingRows.get(key) ?? null, matches);
    if (doc !== null) pendingDocuments.push({ id: fromKey(key), doc });
  }
  const storedRows = matchedRows.filter(({ id }) => !pendingRows.has(id));
  const isOverridden = storedRows.length < matchedRows.length;
  const full = matchedRows.length >= limit || storedRows.length + pendingDocuments.length >= limit;
  if (pendingDocuments.length === 0 && !isOverridden) return { storedRows, pendingDocuments, full: false };
  return full && (isOverridden || !isOrdered) ? null : { storedRows, pendingDocuments, full };
}

/** The documents of rows. Long lists of them are parsed in slices. */
function parsedRows<T extends Document>(
  rows: readonly MatchedRow[],
): StoredDocument<T>[] | Promise<StoredDocument<T>[]> {
  return rows.length <= PARSED_TOGETHER ? parsedInto<T>([], rows) : parsedInSlices(rows);
}

async function parsedInSlices<T extends Document>(rows: readonly MatchedRow[]): Promise<StoredDocument<T>[]> {
  const results: StoredDocument<T>[] = [];
  for (const some of pieces(rows, PARSED_TOGETHER)) {
    parsedInto(results, some);
    const next = pause();
    if (next !== undefined) await next;
  }
  return results;
}

function parsedInto<T extends Document>(
  results: StoredDocument<T>[],
  rows: readonly MatchedRow[],
): StoredDocument<T>[] {
  for (const { id, doc } of rows) if (doc !== null) results.push({ id: fromKey(id), doc: JSON.parse(doc) as T });
  return results;
}

/** Whether a query matches a pending row. */
function rowMatches(row: BufferedRow | null, matches: Matcher): boolean {
  const doc = documentOf(row);
  return doc !== null && matches(doc);
}

/**
 * A new copy of a pending row's document if the query matches it, otherwise null. A document that does not match is
 * cached, so that later queries do not parse it again.
 */
function matchingCopy(row: BufferedRow | null, matches: Matcher): Document | null {
  if (row?.doc == null || (row.parsed !== undefined && !matches(row.parsed))) return null;
  const copy = JSON.parse(row.doc) as Document;
  if (row.parsed !== undefined || matches(copy)) return copy;
  row.parsed = copy;
  return null;
}

/** A write as the writer gets it. */
export function rowOf(write: Write<Document>): RowWrite {
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
