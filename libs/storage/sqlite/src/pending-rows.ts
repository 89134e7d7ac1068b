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

/** Rows of a table that are not in the file yet, by key; null: removed. Fields that queries name are indexed from the first such query on. */
export class PendingRows extends Map<string, Row | null> {
  /** By path and value. */
  private readonly indexes = new Map<string, Map<unknown, Set<string>>>();

  override set(key: string, row: Row | null): this {
    this.unindex(key);
    if (row !== null) for (const [path, index] of this.indexes) add(index, valueOf(row, path), key);
    return super.set(key, row);
  }

  override delete(key: string): boolean {
    this.unindex(key);
    return super.delete(key);
  }

  override clear(): void {
    this.indexes.clear();
    super.clear();
  }

  /** Keys of all rows that a query may ask for: those that have the value of the last field that is compared for equality. */
  candidates(where: Query['where']): readonly string[] {
    const equal = Object.entries(where).findLast(([, condition]) => valuesOf(condition) !== null);
    if (equal === undefined) return [...this.keys()];
    const index = this.indexed(equal[0]);
    return [...new Set(valuesOf(equal[1]))].flatMap((value) => [...(index.get(value) ?? [])]);
  }

  private unindex(key: string): void {
    const row = this.get(key) ?? null;
    if (row === null) return;
    for (const [path, index] of this.indexes) {
      const value = valueOf(row, path);
      const keys = index.get(value);
      keys?.delete(key);
      if (keys?.size === 0) index.delete(value);
    }
  }

  private indexed(path: string): Map<unknown, Set<string>> {
    const known = this.indexes.get(path);
    if (known !== undefined) return known;
    const index = new Map<unknown, Set<string>>();
    for (const [key, row] of this) if (row !== null) add(index, valueOf(row, path), key);
    this.indexes.set(path, index);
    return index;
  }
}

/** The values that a field may have; null where any in a range may be. */
function valuesOf(condition: Condition): readonly Scalar[] | null {
  if (typeof condition !== 'object' || condition === null) return [condition];
  return 'in' in condition ? condition.in : null;
}

function valueOf(row: Row, path: string): unknown {
  const doc = documentOf(row);
  return doc === null ? null : valueAt(doc, path);
}

/** The document of a row, parsed once; null: removed. */
export function documentOf(row: Row | null): Document | null {
  if (row?.doc == null) return null;
  return (row.parsed ??= JSON.parse(row.doc) as Document);
}

function add(index: Map<unknown, Set<string>>, value: unknown, key: string): void {
  const keys = index.get(value);
  if (keys === undefined) index.set(value, new Set([key]));
  else keys.add(key);
}
