import type { Condition, Document, Query, Scalar } from '@assurance/storage-ports';
import { valueAt } from './columns';

/** Whether a query matches a document that is not in the file yet, by the rules of SQL. */
export type Matcher = (doc: Document) => boolean;

/** The matcher of a query. A query tests many documents, so the work that is the same for all is done once. */
export function matcherOf(where: Query['where']): Matcher {
  const conditions = Object.entries(where);
  return (doc) => {
    for (const [path, condition] of conditions) if (!satisfies(valueAt(doc, path), condition)) return false;
    return true;
  };
}

/** Orders documents as SQL does; documents with the same sort keys compare as equal. */
export function comparatorOf(order: Query['order']): (a: Document, b: Document) => number {
  return (a, b) => {
    for (const [path, direction] of order ?? []) {
      const comparison = compare(valueAt(a, path), valueAt(b, path));
      if (comparison !== 0) return direction === 'asc' ? comparison : -comparison;
    }
    return 0;
  };
}

function satisfies(value: unknown, condition: Condition): boolean {
  if (typeof condition !== 'object' || condition === null) return value === condition;
  if ('in' in condition) return condition.in.includes(value as Scalar);
  const { gte, lte } = condition;
  if (gte === undefined && lte === undefined) return true;
  if (typeof value !== typeof (gte ?? lte)) return false;
  return (gte === undefined || compare(value, gte) >= 0) && (lte === undefined || compare(value, lte) <= 0);
}

/** Null, numbers, strings by their bytes, booleans, then all else. */
function rankOf(value: unknown): number {
  const rank = ['null', 'number', 'string', 'boolean'].indexOf(value === null ? 'null' : typeof value);
  return rank === -1 ? 4 : rank;
}

function compare(a: unknown, b: unknown): number {
  if (rankOf(a) !== rankOf(b)) return rankOf(a) - rankOf(b);
  if (typeof a === 'string' && typeof b === 'string')
    return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'object') return 0;
  return Number(a) - Number(b);
}
