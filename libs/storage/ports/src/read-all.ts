import { pieces, Slices } from '@assurance/kernel';
import type { Collection, Document, DocumentPage, StoredDocument, Query } from './documents';

const PIECE = 1_000;
const VALUES = 500;

/** Existing documents by id, any number of them. */
export async function getAll<T extends Document>(
  collection: Pick<Collection<T>, 'getMany'>,
  ids: Iterable<string>,
): Promise<Map<string, T>> {
  const results = new Map<string, T>();
  const slices = new Slices();
  for (const group of pieces([...new Set(ids)], PIECE)) {
    await slices.pause();
    for (const [id, doc] of await collection.getMany(group)) results.set(id, doc);
  }
  return results;
}

/**
 * All documents that a query finds, in pages by offset. A document that is added during the read may make another one
 * appear twice, and a removed document may hide another one. Use it for documents that are never removed, or for readers
 * that may miss one.
 *
 * @param limit of a page: 1 to 1,000
 * @throws UnindexedQuery
 */
export async function* findPages<T extends Document>(
  collection: Pick<Collection<T>, 'find'>,
  query: Pick<Query, 'where' | 'order'>,
  limit: number,
): AsyncGenerator<readonly StoredDocument<T>[]> {
  for (let skip = 0; ; skip += limit) {
    const results = await collection.find({ ...query, skip, limit });
    if (results.length > 0) yield results;
    if (results.length < limit) return;
  }
}

/**
 * All documents that have one of some values in a field, in pages as `findPages` returns them.
 *
 * @param values any number of them, each once
 * @param limit of a page: 1 to 1,000
 * @param groupSize how many values one query has
 * @throws UnindexedQuery
 */
export async function* pagesAmong<T extends Document>(
  collection: Pick<Collection<T>, 'find'>,
  where: NonNullable<Query['where']>,
  field: keyof T & string,
  values: Iterable<string>,
  limit: number,
  groupSize = VALUES,
): AsyncGenerator<readonly StoredDocument<T>[]> {
  for (const group of pieces([...values], groupSize)) {
    yield* findPages(collection, { where: { ...where, [field]: { in: group } } }, limit);
  }
}

/**
 * All documents that a query finds, in its order and in pages. A page begins at the last value that the first field of the order had, because an
 * offset would count all earlier documents again. Documents that are added or removed elsewhere do not shift a page.
 *
 * @param query the first field of its order is a number in every document, or a text in every document; `where` has a range of this field or does
 *   not name it
 * @param limit of a page: 1 to 1,000
 * @throws UnindexedQuery
 */
export async function* pagesInOrder<T extends Document>(
  collection: Pick<Collection<T>, 'find'>,
  { where, order }: Required<Pick<Query, 'where' | 'order'>>,
  limit: number,
): AsyncGenerator<readonly StoredDocument<T>[]> {
  const [[field, direction] = ['', 'asc']] = order;
  const valueOf = ({ doc }: StoredDocument<T>) => (doc as Readonly<Record<string, number | string>>)[field];
  let last: number | string | undefined;
  for (let [range, skip] = [where[field], 0]; ;) {
    const rangeFilter = range === undefined ? where : { ...where, [field]: range };
    const results = await collection.find({ where: rangeFilter, order, skip, limit });
    if (results.length > 0) yield results;
    if (results.length < limit) return;
    const value = results.map(valueOf).at(-1);
    const sameValueCount = results.filter((document) => valueOf(document) === value).length;
    skip = value === last ? skip + sameValueCount : sameValueCount;
    last = value;
    range = { ...(range as object | undefined), [direction === 'asc' ? 'gte' : 'lte']: value };
  }
}

/**
 * All documents that match a condition, in pages, ordered by a field with unique texts. A page begins after the last text of the previous
 * page, because offsets would shift while documents are added and removed. Documents that exist during the whole read are returned once.
 *
 * @param by the field with unique texts; a declared index has it after the fields of `where`
 * @param limit of a page: 1 to 999
 * @throws UnindexedQuery
 */
export async function* pagesBy<T extends Document>(
  collection: Pick<Collection<T>, 'find'>,
  where: NonNullable<Query['where']>,
  by: keyof T & string,
  limit: number,
): AsyncGenerator<readonly StoredDocument<T>[]> {
  for (let last = ''; ;) {
    const results = await collection.find({
      where: { ...where, [by]: { gte: last } },
      order: [[by, 'asc']],
      limit: limit + 1,
    });
    const newResults = results.filter(({ doc }) => doc[by] !== last).slice(0, limit);
    if (newResults.length > 0) yield newResults;
    if (results.length <= limit) return;
    last = String(newResults.at(-1)?.doc[by]);
  }
}

/**
 * All documents of a collection, in pages; the engine chooses the order. Documents that exist during the whole scan are returned once.
 *
 * @param limit of a page: 1 to 1,000
 */
export async function* scanPages<T extends Document>(
  collection: Pick<Collection<T>, 'scan'>,
  limit: number,
): AsyncGenerator<readonly StoredDocument<T>[]> {
  for (let after: string | null = null; ;) {
    const { documents, next }: DocumentPage<T> = await collection.scan(after, limit);
    yield documents;
    if (next === null) return;
    after = next;
  }
}
