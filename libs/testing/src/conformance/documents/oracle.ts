import type { Condition, StoredDocument, Query, Scalar } from '@assurance/storage-ports';

/** A simple `find` over all documents. Ties come in any order. */
export function expected(all: readonly StoredDocument<object>[], query: Query): StoredDocument<object>[] {
  const matching = all.filter(({ doc }) => matches(doc, query.where));
  const order = query.order ?? [];
  matching.sort((a, b) => {
    for (const [path, direction] of order) {
      const sign = compare(valueAt(a.doc, path), valueAt(b.doc, path));
      if (sign !== 0) return direction === 'asc' ? sign : -sign;
    }
    return 0;
  });
  return matching.slice(query.skip ?? 0, (query.skip ?? 0) + query.limit);
}

export function matches(doc: object, where: Query['where']): boolean {
  return Object.entries(where).every(([path, condition]) => isMet(valueAt(doc, path), condition));
}

/** A field that is missing counts as null. */
export function valueAt(doc: object, path: string): Scalar {
  let value: unknown = doc;
  for (const step of path.split('.')) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined;
  }
  return (value ?? null) as Scalar;
}

function isMet(value: Scalar, condition: Condition): boolean {
  if (typeof condition !== 'object' || condition === null) return value === condition;
  if ('in' in condition) return condition.in.includes(value);
  return [condition.gte, condition.lte].every((bound, i) => {
    if (bound === undefined) return true;
    return typeof value === typeof bound && (i === 0 ? compare(value, bound) >= 0 : compare(value, bound) <= 0);
  });
}

/** Null first; otherwise both are of one type. */
function compare(a: Scalar, b: Scalar): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
