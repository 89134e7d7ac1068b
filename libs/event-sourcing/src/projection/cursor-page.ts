import type { Collection, Condition, StoredDocument, Query, Scalar } from '@assurance/storage-ports';

/** The position of a document in a list: the values of the fields by which the list is ordered, in the same order. */
export type ListKey = readonly Scalar[];

/** Selects the page that begins after a document, or that ends before it. Rows that are added elsewhere do not shift the page. */
export interface Cursor {
  readonly side: 'after' | 'before';
  readonly key: ListKey;
}

/** The first and the last document of a page, and the document before it. Links to neighbouring pages are made from them. */
export interface PageEnds {
  /** The document before the page; null at the head of the list. */
  readonly previous: ListKey | null;
  readonly first: ListKey | null;
  readonly last: ListKey | null;
  /** Whether documents follow the page. */
  readonly more: boolean;
}

/** The documents of a page, and its ends. */
export interface PageOfDocuments<T extends object> extends PageEnds {
  readonly documents: readonly StoredDocument<T>[];
}

/** An empty page. */
export const EMPTY_PAGE = { documents: [], previous: null, first: null, last: null, more: false } as const;

type Order = NonNullable<Query['order']>;

/** The key of a document in a list of this order. */
function keyOf(order: Order, doc: object): ListKey {
  return order.map(([path]) => valueAt(doc, path));
}

/** Compares a document with a key in a list of this order: below 0 if it precedes the key, 0 if it has the key. */
export function compareToKey(order: Order, doc: object, key: ListKey): number {
  for (const [i, [path, direction]] of order.entries()) {
    const comparison = compareValues(valueAt(doc, path), key[i] ?? null);
    if (comparison !== 0) return direction === 'asc' ? comparison : -comparison;
  }
  return 0;
}

/**
 * A page of consecutive documents.
 *
 * @param read the documents of the page, the one before them if there is one, and the one after them if there is one
 */
export function pageFromDocuments<T extends object>(
  order: Order,
  read: readonly StoredDocument<T>[],
  { hasPrevious, perPage }: { readonly hasPrevious: boolean; readonly perPage: number },
): PageOfDocuments<T> {
  const from = hasPrevious ? 1 : 0;
  const results = read.slice(from, from + perPage);
  const key = (document: StoredDocument<T> | undefined) => (document === undefined ? null : keyOf(order, document.doc));
  return {
    documents: results,
    previous: hasPrevious ? key(read[0]) : null,
    first: key(results[0]),
    last: key(results.at(-1)),
    more: read.length > from + perPage,
  };
}

/**
 * Reads the page on one side of a key. Of the documents on the other side, it reads only those with the same value in the first field.
 *
 * @param bounds the bounds of the first field of the order
 */
export async function pageBeside<T extends object>(
  collection: Collection<T>,
  { where, order }: { readonly where: Query['where']; readonly order: Order },
  bounds: { readonly gte?: number | string; readonly lte?: number | string },
  { side, key }: Cursor,
  perPage: number,
): Promise<PageOfDocuments<T>> {
  const towards = side === 'after' ? order : reverseOrder(order);
  const [[field, direction] = ['', 'asc'], ...rest] = towards;
  const [value = null] = key;
  if (typeof value !== 'number' && typeof value !== 'string') return EMPTY_PAGE;
  const [limit, bound] = direction === 'asc' ? (['gte', bounds.gte] as const) : (['lte', bounds.lte] as const);
  const isOutside = bound !== undefined && (limit === 'gte' ? value < bound : value > bound);
  const range: Condition = isOutside ? bounds : { ...bounds, [limit]: value };
  const skip = isOutside ? 0 : await countUpTo(collection, { ...where, [field]: value }, rest, key.slice(1));
  const query = { where: { ...where, [field]: range }, order: towards, skip, limit: perPage + 1 };
  // Documents may have been inserted before the key since the count.
  const read = (await collection.find(query)).filter(({ doc }) => compareToKey(towards, doc, key) > 0);
  if (side === 'before') {
    const page = pageFromDocuments(order, read.toReversed(), { hasPrevious: read.length > perPage, perPage });
    return { ...page, more: read.length > 0 };
  }
  return { ...pageFromDocuments(order, read, { hasPrevious: false, perPage }), previous: key };
}

/** Counts the selected documents that have a key of this order or precede it. It uses binary search. */
async function countUpTo<T extends object>(
  collection: Collection<T>,
  where: Query['where'],
  order: Order,
  key: ListKey,
): Promise<number> {
  let low = 0;
  let high = await collection.count(where);
  if (order.length === 0) return high;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [first] = await collection.find({ where, order, skip: middle, limit: 1 });
    if (first === undefined || compareToKey(order, first.doc, key) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

function reverseOrder(order: Order): Order {
  return order.map(([path, direction]) => [path, direction === 'asc' ? 'desc' : 'asc'] as const);
}

function valueAt(doc: object, path: string): Scalar {
  const value = path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>> | null | undefined)?.[name], doc);
  return (value ?? null) as Scalar;
}

/** Compares values as the store sorts them: texts by their UTF-8 bytes. */
function compareValues(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
