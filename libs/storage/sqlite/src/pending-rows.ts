import type { Condition, Document, Query, Scalar } from '@assurance/storage-ports';
import { valueAt } from './columns';

/** A row of a deferred collection, in the file or not. Immutable: a write creates another. */
export interface Row {
  /** -1: no `forward` wrote it. */
  readonly seq: number;
  /** JSON text; null: removed. */
  readonly doc: string | null;
  /** The document, once somebody searched for it among those that wait. Not to be handed out. */
  parsed?: Document;
}

/** Above this many candidates by one field, a query looks for the values of all its fields together. */
const BY_ONE_FIELD = 100;
/** The most combinations of values that are looked up. */
const COMBINATIONS_MAX = 2_000;

/** So many rows may change before an index is dropped that no query uses. */
const UNUSED_MAX = 500;

type Field = readonly [path: string, values: readonly Scalar[]];

/** Keys of rows by the values of some fields, and these values by key. Most values have one key, which is kept without a set. */
interface Index {
  readonly paths: readonly string[];
  readonly keys: Map<unknown, string | Set<string>>;
  readonly values: Map<string, unknown>;
  /** How many rows changed since a query last used it. */
  unused: number;
}

/** Rows of a table that are not in the file yet, by key; null: removed. Fields that queries name are indexed from the first such query on. */
export class PendingRows extends Map<string, Row | null> {
  /** By paths. */
  private readonly indexes = new Map<string, Index>();

  /** @param doc the document of the row, where the caller has it */
  override set(key: string, row: Row | null, doc?: Document): this {
    for (const index of this.used()) {
      remove(index, key);
      if (row !== null) add(index, doc ?? documentOf(row), key);
    }
    return super.set(key, row);
  }

  override delete(key: string): boolean {
    for (const index of this.used()) remove(index, key);
    return super.delete(key);
  }

  override clear(): void {
    this.indexes.clear();
    super.clear();
  }

  /**
   * Keys of all rows that a query may ask for, each once. They have the values of the last field that the query compares for equality or, where that
   * leaves many rows, of all such fields. The caller still compares the rows with the whole query.
   */
  candidates(where: Query['where']): readonly string[] {
    const equal = Object.entries(where).flatMap(([path, condition]): Field[] => {
      const values = valuesOf(condition);
      return values === null ? [] : [[path, [...new Set(values)]]];
    });
    const last = equal.at(-1);
    if (last === undefined) return [...this.keys()];
    const found = this.having([last]);
    const combinations = equal.reduce((product, [, values]) => product * values.length, 1);
    const enough = found.length <= BY_ONE_FIELD || equal.length === 1 || combinations > COMBINATIONS_MAX;
    return enough ? found : this.having(equal);
  }

  private having(fields: readonly Field[]): readonly string[] {
    const index = this.indexed(fields.map(([path]) => path));
    index.unused = 0;
    const { keys } = index;
    const wanted = new Set(combined(fields.map(([, values]) => values)).map(indexed));
    return [...wanted].flatMap((value) => {
      const same = keys.get(value) ?? [];
      return typeof same === 'string' ? same : [...same];
    });
  }

  /** The indexes that are kept while a row changes. One that all rows have changed since its last use costs more than it saves: a rebuild searches seldom. */
  private *used(): Iterable<Index> {
    for (const [name, index] of this.indexes) {
      index.unused += 1;
      if (index.unused > UNUSED_MAX && index.unused > this.size) this.indexes.delete(name);
      else yield index;
    }
  }

  private indexed(paths: readonly string[]): Index {
    const name = paths.join(' ');
    const known = this.indexes.get(name);
    if (known !== undefined) return known;
    const index: Index = { paths, keys: new Map(), values: new Map(), unused: 0 };
    for (const [key, row] of this) if (row !== null) add(index, documentOf(row), key);
    this.indexes.set(name, index);
    return index;
  }
}

/** The values that a field may have; null where any in a range may be. */
function valuesOf(condition: Condition): readonly Scalar[] | null {
  if (typeof condition !== 'object' || condition === null) return [condition];
  return 'in' in condition ? condition.in : null;
}

/** Each combination of one value of each list. */
function combined(lists: readonly (readonly Scalar[])[]): Scalar[][] {
  return lists.reduce<Scalar[][]>((all, values) => all.flatMap((one) => values.map((value) => [...one, value])), [[]]);
}

/** The key of values in an index. Different values may have the same key, so the caller of `candidates` compares the rows. */
function indexed(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : values.join('\n');
}

/** The document of a row, parsed once; null: removed. */
export function documentOf(row: Row | null): Document | null {
  if (row?.doc == null) return null;
  return (row.parsed ??= JSON.parse(row.doc) as Document);
}

function add({ paths, keys, values }: Index, doc: Document | null, key: string): void {
  const value = doc === null ? null : indexed(paths.map((path) => valueAt(doc, path)));
  values.set(key, value);
  const same = keys.get(value);
  if (same === undefined) keys.set(value, key);
  else if (typeof same === 'string') keys.set(value, new Set([same, key]));
  else same.add(key);
}

function remove({ keys, values }: Index, key: string): void {
  if (!values.has(key)) return;
  const value = values.get(key);
  values.delete(key);
  const same = keys.get(value);
  if (typeof same === 'object' && same.size > 1) same.delete(key);
  else keys.delete(value);
}
