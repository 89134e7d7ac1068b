import type { CollectionDefinition, Document, Scalar } from '@assurance/storage-ports';
import type { Value } from './connection';

/** An indexed field with its own column beside the document. */
export interface Column {
  readonly path: string;
  /** Whether it holds ids or digests, which are kept as bytes. */
  readonly id: boolean;
}

/** The columns of a collection; null if its indexes use the JSON text. */
export function columnsOf({ ids, indexes }: CollectionDefinition<Document>): readonly Column[] | null {
  if (ids === undefined) return null;
  const paths = new Set(indexes.flatMap(({ fields }) => fields.map(([path]) => path)));
  return [...paths].map((path) => ({ path, id: ids.includes(path) }));
}

const ID = 'i_';
const KEY = 'k_';

/** A column's name. It contains the path and the type of the column. */
export function columnName({ path, id }: Column): string {
  return `${id ? ID : KEY}${path}`;
}

/** The field for a column name; null if no field has it. */
export function findColumn(name: string): Column | null {
  const id = name.startsWith(ID);
  return id || name.startsWith(KEY) ? { path: name.slice(KEY.length), id } : null;
}

/** Quotes a name for a statement. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The value of a document at a path; null if there is none. */
export function valueAt(doc: Document, path: string): unknown {
  if (!path.includes('.')) return Object.hasOwn(doc, path) ? ((doc as Record<string, unknown>)[path] ?? null) : null;
  let value: unknown = doc;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
  }
  return value ?? null;
}

/** The values of columns for a document, given as JSON text. */
export function columnValues(columns: readonly Column[], text: string): Value[] {
  if (columns.length === 0) return [];
  const doc = JSON.parse(text) as Document;
  return columns.map(({ path, id }) => {
    const value = valueAt(doc, path);
    return typeof value === 'object' && value !== null ? COMPOUND : columnValue(value as Scalar, id);
  });
}

/** The value for all objects and arrays. No query compares them. */
const COMPOUND = Buffer.from([2]);

/** Converts a value for a column, so that SQLite compares as the port promises: a boolean never equals a number. */
export function columnValue(value: Scalar, id: boolean): Value {
  if (typeof value === 'boolean') return Buffer.from([value ? 1 : 0]);
  // SQLite stores a BigInt in few bytes. The driver would bind a number as a float of eight bytes.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return id && typeof value === 'string' ? cachedPack(value) : value;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DIGEST = /^[0-9a-f]{64}$/;

/** Recently packed values: rows that are written together share most of their ids. The arrays must not be changed. */
const cache = new Map<string, Value>();
const CACHED_MAX = 10_000;

/** The 16 bytes of a UUID or the 32 bytes of a digest; any other value unchanged. The bytes sort like their texts. */
function cachedPack(text: string): Value {
  const before = cache.get(text);
  if (before !== undefined) return before;
  if (cache.size >= CACHED_MAX) cache.clear();
  const value = pack(text);
  cache.set(text, value);
  return value;
}

function pack(text: string): Value {
  if (text.length === 64 && DIGEST.test(text)) return Buffer.from(text, 'hex');
  return text.length === 36 && UUID.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : text;
}
