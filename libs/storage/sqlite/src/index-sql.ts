import { createHash } from 'node:crypto';
import type {
  CollectionDefinition,
  Condition,
  Document,
  IndexDefinition,
  Query,
  Scalar,
} from '@assurance/storage-ports';
import type { Value } from './connection';

/**
 * A field as SQLite compares it: null and missing, then numbers, then strings by their bytes, then false and true as blobs
 * (`json_extract` alone would take true for 1). Every use must be the same text, or the index is not found.
 */
function fieldSql(path: string): string {
  const known = fields.get(path) ?? makeFieldSql(path);
  fields.set(path, known);
  return known;
}

/** Paths come from definitions and queries in the code: there are only so many. */
const fields = new Map<string, string>();

function makeFieldSql(path: string): string {
  const steps = path.split('.').map((name) => `."${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '\\u0022')}"`);
  const at = `'$${steps.join('').replaceAll("'", "''")}'`;
  return (
    `CASE json_type(doc, ${at}) WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ` +
    `WHEN 'object' THEN x'02' WHEN 'array' THEN x'02' ELSE json_extract(doc, ${at}) END`
  );
}

export function tableOf(definition: CollectionDefinition<Document>): string {
  if (!/^[a-z0-9_]+$/.test(definition.name)) throw new RangeError(`not a collection name: ${definition.name}`);
  return `documents_${definition.name}`;
}

/** An index's name and what makes it. The name follows from the fields: an index that changed is another one. */
export function indexSql(table: string, index: IndexDefinition): readonly [name: string, sql: string] {
  const tables = indexes.get(index) ?? new Map<string, readonly [name: string, sql: string]>();
  indexes.set(index, tables);
  const known = tables.get(table) ?? makeIndexSql(table, index);
  tables.set(table, known);
  return known;
}

/** By definition and table: a query asks for its index's name each time. */
const indexes = new WeakMap<IndexDefinition, Map<string, readonly [name: string, sql: string]>>();

function makeIndexSql(table: string, index: IndexDefinition): readonly [name: string, sql: string] {
  const fields = index.fields
    .map(([path, direction]) => `${fieldSql(path)} ${direction === 'asc' ? 'ASC' : 'DESC'}`)
    .join(', ');
  const name = `${table}_${createHash('sha256').update(fields).digest('hex').slice(0, 16)}`;
  return [name, `CREATE INDEX ${name} ON ${table} (${fields}) WHERE doc IS NOT NULL`];
}

/** A part of a statement with the values for its question marks. */
export interface Clause {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** What follows the column list: the table by its index, and the conditions. */
export function fromWhere(table: string, index: IndexDefinition, where: Query['where']): Clause {
  const parts = Object.entries(where).map(([path, condition]) => conditionSql(fieldSql(path), condition));
  // A list with null among others needs the index twice, which SQLite does by itself and not when told which.
  const free = Object.values(where).some(
    (one) => typeof one === 'object' && one !== null && 'in' in one && one.in.includes(null),
  );
  const by = free ? '' : ` INDEXED BY ${indexSql(table, index)[0]}`;
  return {
    sql: ` FROM ${table}${by} WHERE ${[...parts.map(({ sql }) => sql), 'doc IS NOT NULL'].join(' AND ')}`,
    values: parts.flatMap(({ values }) => values),
  };
}

/** An empty list: SQLite would search no index for it, and then refuses to be told one. */
export function matchesNothing(where: Query['where']): boolean {
  return Object.values(where).some(
    (one) => typeof one === 'object' && one !== null && 'in' in one && one.in.length === 0,
  );
}

/** So many values of a list are looked up one by one: a list costs SQLite a table in memory, and a sort where the index has the order. */
const VALUES_ONE_BY_ONE = 8;

/** A query for few values of one field as queries for one value each; null where it is none. */
export function valueByValue(where: Query['where']): Query['where'][] | null {
  const lists = Object.entries(where).flatMap(([path, condition]) =>
    typeof condition === 'object' && condition !== null && 'in' in condition ? [{ path, values: condition.in }] : [],
  );
  const [list] = lists;
  if (list === undefined || lists.length > 1 || list.values.length > VALUES_ONE_BY_ONE) return null;
  return [...new Set(list.values)].map((value) => ({ ...where, [list.path]: value }));
}

export function orderSql(order: Query['order']): string {
  if (order === undefined || order.length === 0) return '';
  return ` ORDER BY ${order.map(([path, direction]) => `${fieldSql(path)} ${direction === 'asc' ? 'ASC' : 'DESC'}`).join(', ')}`;
}

function conditionSql(field: string, condition: Condition): Clause {
  if (condition === null) return { sql: `${field} IS NULL`, values: [] };
  if (typeof condition !== 'object') return { sql: `${field} = ?`, values: [valueOf(condition)] };
  if ('in' in condition) return listSql(field, condition.in);
  return rangeSql(field, condition.gte, condition.lte);
}

function listSql(field: string, list: readonly Scalar[]): Clause {
  const present = list.filter((one) => one !== null);
  const sql = `${field} IN (${present.map(() => '?').join(', ')})`;
  const values = present.map(valueOf);
  return present.length === list.length ? { sql, values } : { sql: `(${field} IS NULL OR ${sql})`, values };
}

/** A range holds values of its ends' own type: every number lies below the empty string, every string below the empty blob. */
function rangeSql(field: string, gte: number | string | undefined, lte: number | string | undefined): Clause {
  const parts: Clause[] = [];
  if (gte !== undefined) parts.push({ sql: `${field} >= ?`, values: [gte] });
  else if (typeof lte === 'string') parts.push({ sql: `${field} >= ''`, values: [] });
  if (lte !== undefined) parts.push({ sql: `${field} <= ?`, values: [lte] });
  else if (gte !== undefined) parts.push({ sql: `${field} < ${typeof gte === 'number' ? `''` : `x''`}`, values: [] });
  if (parts.length === 0) return { sql: '1', values: [] };
  return { sql: parts.map(({ sql }) => sql).join(' AND '), values: parts.flatMap(({ values }) => values) };
}

function valueOf(scalar: Scalar): Value {
  return typeof scalar === 'boolean' ? Buffer.from([scalar ? 1 : 0]) : scalar;
}
