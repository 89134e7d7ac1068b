import { ITEMS_A_STEP, Slices } from '@assurance/kernel';
import type { Condition, Document, Query, Scalar } from '@assurance/storage-ports';
import { valueAt } from './columns';

/** A row of a deferred collection, in the file or not. Immutable: a write creates another. */
export interface Row {
  /** -1: no `forward` wrote it. */
  readonly seq: number;
  /** JSON text; null: removed. */
  readonly doc: string | null;
  /** The parsed document, cached by the first search over pending rows. It must not be returned to callers. */
  parsed?: Document;
}

/**
 * If one field leaves more candidates than this, a query uses an index over all its fields. To compare so many documents costs about as much as to
 * keep another index while some rows change.
 */
const BY_ONE_FIELD = 16;
/** The most combinations of values that are looked up. */
const COMBINATIONS_MAX = 2_000;

/** Above this many rows an index is built in slices. Fewer rows take a few milliseconds. */
const AT_ONCE = 1_000;

/** An index is dropped after this many changed rows if no query used it meanwhile. */
const UNUSED_MAX = 500;

type Field = readonly [path: string, values: readonly Scalar[]];

/** Keys of rows by the values of some fields, and these values by key. Most values have one key, which is stored without a set. */
interface Index {
  readonly paths: readonly string[];
  readonly keys: Map<unknown, string | Set<string>>;
  readonly values: Map<string, unknown>;
  /** How many rows changed since a query last used it. */
  changesSinceUse: number;
}

/** Rows of a table that are not in the file yet, by key; null: removed. A field is indexed from the first query that names it. */
export class PendingRows extends Map<string, Row | null> {
  /** By paths. */
  private readonly indexes = new Map<string, Index>();
  /** Indexes that are being made. */
  private readonly unfinishedIndexes = new Map<string, { readonly index: Index; readonly done: Promise<void> }>();

  /** @param doc the document of the row, if the caller has it */
  override set(key: string, row: Row | null, doc?: Document): this {
    for (const index of this.usedIndexes()) {
      remove(index, key);
      if (row !== null) add(index, doc ?? documentOf(row), key);
    }
    return super.set(key, row);
  }

  override delete(key: string): boolean {
    for (const index of this.usedIndexes()) remove(index, key);
    return super.delete(key);
  }

  override clear(): void {
    this.indexes.clear();
    this.unfinishedIndexes.clear();
    super.clear();
  }

  /**
   * If many rows are pending, makes an index for a query in slices. Call it before `candidates` until it returns undefined, because another index may
   * be needed and rows may have changed in between.
   *
   * @returns undefined if `candidates` takes only a moment
   */
  indexInSlices(where: Query['where']): Promise<void> | undefined {
    const equalFields = this.size > AT_ONCE ? equalityFields(where) : [];
    const last = equalFields.at(-1);
    if (last === undefined || this.hasQuickIndex(equalFields)) return undefined;
    if (!this.indexes.has(nameOf([last]))) return this.make([last]);
    return this.isSelective(equalFields, last) || this.indexes.has(nameOf(equalFields))
      ? undefined
      : this.make(equalFields);
  }

  /**
   * Keys of all rows that a query may match, each once. These rows match the last field that the query compares for equality or, if that leaves many
   * rows, all such fields. The caller must still compare the rows with the whole query.
   */
  candidates(where: Query['where']): readonly string[] {
    const equalFields = equalityFields(where);
    const last = equalFields.at(-1);
    if (last === undefined) return [...this.keys()];
    return this.keysMatching(
      !this.hasQuickIndex(equalFields) && this.isSelective(equalFields, last) ? [last] : equalFields,
    );
  }

  /** Whether an index covers all the fields, and their values take few lookups in it. */
  private hasQuickIndex(equal: readonly Field[]): boolean {
    return combinationsIn(equal) <= BY_ONE_FIELD && this.indexes.has(nameOf(equal));
  }

  /** Whether the last field leaves few rows, or a lookup by all fields would take too long. */
  private isSelective(equal: readonly Field[], last: Field): boolean {
    return equal.length === 1 || combinationsIn(equal) > COMBINATIONS_MAX || this.countHaving(last) <= BY_ONE_FIELD;
  }

  private countHaving([path, values]: Field): number {
    const { keys } = this.indexOn([path]);
    return values.reduce((sum: number, value) => {
      const idsOfValue = keys.get(value);
      return sum + (typeof idsOfValue === 'object' ? idsOfValue.size : idsOfValue === undefined ? 0 : 1);
    }, 0);
  }

  private keysMatching(fields: readonly Field[]): readonly string[] {
    const index = this.indexOn(fields.map(([path]) => path));
    index.changesSinceUse = 0;
    const { keys } = index;
    const requestedKeys = new Set(combinationsOf(fields.map(([, values]) => values)).map(indexKey));
    return [...requestedKeys].flatMap((value) => {
      const idsOfValue = keys.get(value) ?? [];
      return typeof idsOfValue === 'string' ? idsOfValue : [...idsOfValue];
    });
  }

  /**
   * The indexes that a changed row updates. If more rows have changed since the last use of an index than are pending, the index is dropped: it costs
   * more than it saves. This happens in a rebuild, which seldom searches.
   */
  private *usedIndexes(): Iterable<Index> {
    for (const [name, index] of this.indexes) {
      index.changesSinceUse += 1;
      if (index.changesSinceUse > UNUSED_MAX && index.changesSinceUse > this.size) this.indexes.delete(name);
      else yield index;
    }
    for (const { index } of this.unfinishedIndexes.values()) yield index;
  }

  private make(fields: readonly Field[]): Promise<void> {
    const name = nameOf(fields);
    const unfinishedIndex = this.unfinishedIndexes.get(name);
    if (unfinishedIndex !== undefined) return unfinishedIndex.done;
    const index = indexBy(fields.map(([path]) => path));
    const promise = this.fill(index).finally(() => {
      if (this.unfinishedIndexes.get(name)?.index !== index) return;
      this.unfinishedIndexes.delete(name);
      this.indexes.set(name, index);
    });
    this.unfinishedIndexes.set(name, { index, done: promise });
    return promise;
  }

  /** `set` adds rows that are set while the index is built. Rows that are not reached yet are read with their current value. */
  private async fill(index: Index): Promise<void> {
    const slices = new Slices();
    let rowsRead = 0;
    for (const [key, row] of this) {
      if (row !== null && !index.values.has(key)) add(index, documentOf(row), key);
      rowsRead += 1;
      if (rowsRead % ITEMS_A_STEP === 0 && slices.over) await slices.next();
    }
  }

  private indexOn(paths: readonly string[]): Index {
    const name = paths.join(' ');
    const cachedIndex = this.indexes.get(name);
    if (cachedIndex !== undefined) return cachedIndex;
    const index = indexBy(paths);
    for (const [key, row] of this) if (row !== null) add(index, documentOf(row), key);
    this.indexes.set(name, index);
    return index;
  }
}

function indexBy(paths: readonly string[]): Index {
  return { paths, keys: new Map(), values: new Map(), changesSinceUse: 0 };
}

function nameOf(fields: readonly Field[]): string {
  return fields.map(([path]) => path).join(' ');
}

function combinationsIn(fields: readonly Field[]): number {
  return fields.reduce((product, [, values]) => product * values.length, 1);
}

/** The fields that a query compares for equality, each with its values. */
function equalityFields(where: Query['where']): readonly Field[] {
  return Object.entries(where).flatMap(([path, condition]): Field[] => {
    const values = valuesOf(condition);
    return values === null ? [] : [[path, [...new Set(values)]]];
  });
}

/** The values that a condition allows; null if it is a range. */
function valuesOf(condition: Condition): readonly Scalar[] | null {
  if (typeof condition !== 'object' || condition === null) return [condition];
  return 'in' in condition ? condition.in : null;
}

/** All combinations with one value of each list. */
function combinationsOf(lists: readonly (readonly Scalar[])[]): Scalar[][] {
  return lists.reduce<Scalar[][]>(
    (all, values) => all.flatMap((candidate) => values.map((value) => [...candidate, value])),
    [[]],
  );
}

/** The key of values in an index. Different values may have the same key, so the caller of `candidates` compares the rows. */
function indexKey(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : values.join('\n');
}

/** The document of a row, parsed once; null: removed. */
export function documentOf(row: Row | null): Document | null {
  if (row?.doc == null) return null;
  return (row.parsed ??= JSON.parse(row.doc) as Document);
}

function add({ paths, keys, values }: Index, doc: Document | null, key: string): void {
  const value = doc === null ? null : indexKey(paths.map((path) => valueAt(doc, path)));
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
