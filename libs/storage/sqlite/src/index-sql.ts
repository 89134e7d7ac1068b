import { getOrInsert } from '@assurance/kernel';
import { createHash } from 'node:crypto';
import {
  type CollectionDefinition,
  type Condition,
  type Document,
  type IndexDefinition,
  indexFor,
  type Query,
  type Scalar,
} from '@assurance/storage-ports';
import { type Column, columnName, columnsOf, columnValue, quoteName } from './columns';
import type { Value } from './connection';

/** The table of a collection. */
export interface Table {
  readonly name: string;
  /** Null: the indexes use the JSON text. */
  readonly columns: readonly Column[] | null;
}

/** Tables by definition. Callers ask for a collection's table at every use, but it is made once. */
const tables = new WeakMap<CollectionDefinition<Document>, Table>();

/** The table of a collection. Other definitions of the same collection may have other columns. */
export function tableOf(definition: CollectionDefinition<Document>): Table {
  const cachedTable = tables.get(definition);
  if (cachedTable !== undefined) return cachedTable;
  if (!/^[a-z0-9_]+$/.test(definition.name)) throw new RangeError(`not a collection name: ${definition.name}`);
  const table = { name: `documents_${definition.name}`, columns: columnsOf(definition) };
  tables.set(definition, table);
  return table;
}

function fieldSql({ columns }: Table, path: string): string {
  const column = columns?.find((candidate) => candidate.path === path);
  return column === undefined ? jsonFieldSql(path) : quoteName(columnName(column));
}

/**
 * The expression by which SQLite compares a field: null and missing first, then numbers, then strings by their bytes, then false and true as blobs
 * (`json_extract` alone returns 1 for true). Every use must have the same text, or SQLite does not find the index.
 */
function jsonFieldSql(path: string): string {
  return getOrInsert(fields, path, () => makeFieldSql(path));
}

/** Paths come from definitions and queries in the code, so their number is small. */
const fields = new Map<string, string>();

function makeFieldSql(path: string): string {
  const steps = path.split('.').map((name) => `."${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '\\u0022')}"`);
  const at = `'$${steps.join('').replaceAll("'", "''")}'`;
  return (
    `CASE json_type(doc, ${at}) WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ` +
    `WHEN 'object' THEN x'02' WHEN 'array' THEN x'02' ELSE json_extract(doc, ${at}) END`
  );
}

/** An index's name and the statement that makes it. The name depends on the fields, so a changed index has another name. */
export function indexSql(table: Table, index: IndexDefinition): readonly [name: string, sql: string] {
  const cache = getOrInsert(indexes, table, () => new Map<IndexDefinition, readonly [name: string, sql: string]>());
  return getOrInsert(cache, index, () => makeIndexSql(table, index));
}

/** Cached because every query asks for the name of its index. */
const indexes = new WeakMap<Table, Map<IndexDefinition, readonly [name: string, sql: string]>>();

function makeIndexSql(table: Table, index: IndexDefinition): readonly [name: string, sql: string] {
  const fields = index.fields
    .map(([path, direction]) => `${fieldSql(table, path)} ${direction === 'asc' ? 'ASC' : 'DESC'}`)
    .join(', ');
  const only = index.only === undefined ? '' : ` AND ${fieldSql(table, index.only)} IS NOT NULL`;
  const digest = createHash('sha256').update(`${fields}${only}`).digest('hex');
  const name = `${table.name}_${digest.slice(0, 16)}`;
  return [name, `CREATE INDEX ${name} ON ${table.name} (${fields}) WHERE doc IS NOT NULL${only}`];
}

/** A part of a statement with the values for its question marks. */
export interface Clause {
  readonly sql: string;
  readonly values: readonly Value[];
}

/**
 * The SELECT of a query, with the index that covers it, an order, and an optional limit. The text is cached by the shape of the query. Texts are
 * long, and a lookup of a prepared statement would read all of a new text each time.
 *
 * @param columns such as `id, doc`
 * @throws UnindexedQuery
 */
export function selectSql(
  columns: string,
  definition: CollectionDefinition<Document>,
  query: Pick<Query, 'where' | 'order' | 'skip'> & { readonly limit?: number },
): Clause {
  const { where, order = [], limit, skip = 0 } = query;
  let key = limit === undefined ? columns : `${columns} paged`;
  for (const path in where) key += ` ${path}${shapeOf(where[path] ?? null)}`;
  for (const [path, direction] of order) key += ` ${direction} ${path}`;
  const sql = statementOf(columns, definition, query, key);
  const table = tableOf(definition);
  const values: Value[] = [];
  for (const path in where) addValues(values, where[path] ?? null, isId(table, path));
  if (limit !== undefined) values.push(limit, skip);
  return { sql, values };
}

function statementOf(
  columns: string,
  definition: CollectionDefinition<Document>,
  query: Parameters<typeof selectSql>[2],
  key: string,
): string {
  const cache = statements.get(definition) ?? new Map<string, string>();
  const sql = cache.get(key);
  if (sql !== undefined) return sql;
  const created = makeSelectSql(columns, definition, query);
  if (cache.size >= STATEMENTS_MAX) cache.clear();
  cache.set(key, created);
  statements.set(definition, cache);
  return created;
}

function makeSelectSql(
  columns: string,
  definition: CollectionDefinition<Document>,
  query: Parameters<typeof selectSql>[2],
): string {
  const table = tableOf(definition);
  const from = fromSql(table, indexFor(definition, query), query.where);
  return `SELECT ${columns}${from}${orderSql(table, query.order ?? [])}${query.limit === undefined ? '' : ' LIMIT ? + 0 OFFSET ?'}`;
}

const STATEMENTS_MAX = 1_000;
const statements = new WeakMap<CollectionDefinition<Document>, Map<string, string>>();

function fromSql(table: Table, index: IndexDefinition, where: Query['where']): string {
  const parts = Object.entries(where).map(([path, condition]) => conditionSql(fieldSql(table, path), condition));
  // A list that contains null needs the index twice. SQLite does that by itself, but not if the statement names the index.
  const free = Object.values(where).some(
    (condition) =>
      typeof condition === 'object' && condition !== null && 'in' in condition && condition.in.includes(null),
  );
  const by = free ? '' : ` INDEXED BY ${indexSql(table, index)[0]}`;
  return ` FROM ${table.name}${by} WHERE ${[...parts, 'doc IS NOT NULL'].join(' AND ')}`;
}

/** Whether a list of values is empty. SQLite would use no index for it, and then refuses a statement that names one. */
export function matchesNothing(where: Query['where']): boolean {
  return Object.values(where).some(
    (condition) =>
      typeof condition === 'object' && condition !== null && 'in' in condition && condition.in.length === 0,
  );
}

/**
 * Up to this number of values, each value of a list is queried alone. For a list, SQLite makes a table in memory, and it sorts although the index has
 * the order.
 */
const VALUES_ONE_BY_ONE = 8;

/** Splits a query for few values of one field into queries for one value each; null if the query has no such list. */
export function valueByValue(where: Query['where']): Query['where'][] | null {
  const lists = Object.entries(where).flatMap(([path, condition]) =>
    typeof condition === 'object' && condition !== null && 'in' in condition ? [{ path, values: condition.in }] : [],
  );
  const [list] = lists;
  if (list === undefined || lists.length > 1 || list.values.length > VALUES_ONE_BY_ONE) return null;
  return [...new Set(list.values)].map((value) => ({ ...where, [list.path]: value }));
}

function orderSql(table: Table, order: NonNullable<Query['order']>): string {
  if (order.length === 0) return '';
  return ` ORDER BY ${order.map(([path, direction]) => `${fieldSql(table, path)} ${direction === 'asc' ? 'ASC' : 'DESC'}`).join(', ')}`;
}

/** A key of conditions: conditions with the same key have the same text. */
function shapeOf(condition: Condition): string {
  if (condition === null) return ' null';
  if (typeof condition !== 'object') return '=';
  if ('in' in condition) return ` in ${condition.in.length} ${withoutNulls(condition.in).length}`;
  return ` from ${typeof condition.gte} to ${typeof condition.lte}`;
}

/** Whether a field has a column of ids. */
function isId({ columns }: Table, path: string): boolean {
  return columns?.some((column) => column.path === path && column.id) === true;
}

/** Adds the values of a condition in the form in which a table compares its field. */
function addValues(values: Value[], condition: Condition, id: boolean): void {
  if (condition === null) return;
  if (typeof condition !== 'object') values.push(columnValue(condition, id));
  else if ('in' in condition) for (const value of withoutNulls(condition.in)) values.push(columnValue(value, id));
  else {
    for (const bound of [condition.gte, condition.lte]) if (bound !== undefined) values.push(columnValue(bound, id));
  }
}

function conditionSql(field: string, condition: Condition): string {
  if (condition === null) return `${field} IS NULL`;
  if (typeof condition !== 'object') return `${field} = ?`;
  if ('in' in condition) return listSql(field, condition.in);
  return rangeSql(field, condition.gte, condition.lte);
}

function withoutNulls(list: readonly Scalar[]): readonly Scalar[] {
  return list.filter((value) => value !== null);
}

function listSql(field: string, list: readonly Scalar[]): string {
  const some = withoutNulls(list);
  const sql = `${field} IN (${some.map(() => '?').join(', ')})`;
  return some.length === list.length ? sql : `(${field} IS NULL OR ${sql})`;
}

/** A range matches only values of the type of its ends: every number sorts before the empty string, every string before the empty blob. */
function rangeSql(field: string, gte: number | string | undefined, lte: number | string | undefined): string {
  const parts: string[] = [];
  if (gte !== undefined) parts.push(`${field} >= ?`);
  else if (typeof lte === 'string') parts.push(`${field} >= ''`);
  if (lte !== undefined) parts.push(`${field} <= ?`);
  else if (gte !== undefined) parts.push(`${field} < ${typeof gte === 'number' ? `''` : `x''`}`);
  return parts.length === 0 ? '1' : parts.join(' AND ');
}
