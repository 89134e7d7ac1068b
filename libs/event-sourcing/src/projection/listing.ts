import type { ArtifactPage } from '@assurance/contracts/environments/answers/snapshot';
import type { PageLinks } from '@assurance/contracts/http/answers/common';
import { positionText } from '@assurance/contracts/http/params';
import {
  type Collection,
  type Condition,
  type StoredDocument,
  pagesInOrder,
  type Query,
} from '@assurance/storage-ports';
import {
  compareToKey,
  type Cursor,
  EMPTY_PAGE,
  pageBeside,
  type PageEnds,
  type PageOfDocuments,
  pageFromDocuments,
} from './cursor-page';

/** Selects a page of a list. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  /** 0 requests only the counts. */
  readonly perPage: number;
  /** Where the page begins or ends. If it is set, `page` is only the number that the answer states. */
  readonly cursor?: Cursor | null;
}

/** How many pages a list has: 0 for an empty list and for pages of size 0. */
export function totalPages(count: number, perPage: number): number {
  return perPage === 0 ? 0 : Math.ceil(count / perPage);
}

/** The page fields of an answer. */
export function pageFields({ page, perPage }: PageRequest, count: number): ArtifactPage {
  return { page, per_page: perPage, total_pages: totalPages(count, perPage), total_count: count };
}

/** The parameters of a request for a list, by name. Links repeat a parameter once for each of its values. */
export type ListParameters = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

/**
 * The page fields of an answer with `_links`.
 *
 * @param address the list's URL without a query
 */
export function linkedPage(
  address: string,
  parameters: ListParameters,
  page: PageRequest,
  { count, ...ends }: PageEnds & { readonly count: number },
) {
  return { ...pageFields(page, count), _links: pageLinks(address, parameters, page, count, ends) };
}

/**
 * Absolute links with every parameter; null if a page holds 0 rows. `next` and `prev` are left out at the ends. Links to neighbours begin or end
 * at a row, so rows that are added meanwhile do not shift them.
 */
function pageLinks(
  address: string,
  parameters: ListParameters,
  request: PageRequest,
  count: number,
  ends: PageEnds,
): PageLinks | null {
  const { page, perPage } = request;
  if (perPage === 0) return null;
  const last = Math.max(1, totalPages(count, perPage));
  const at = (number: number, cursor: Cursor | null = null) => addressOf(address, parameters, number, perPage, cursor);
  if (ends.first === null) {
    const prev = page > 1 ? { prev: at(Math.min(page - 1, last)) } : {};
    return { self: at(page, request.cursor), first: at(1), ...prev, last: at(last) };
  }
  const { prev, next } = neighbours(request, ends);
  return {
    self: ends.previous === null ? at(1) : at(page, { side: 'after', key: ends.previous }),
    first: at(1),
    ...(prev === null ? {} : { prev: at(...prev) }),
    ...(next === null ? {} : { next: at(...next) }),
    last: at(last),
  };
}

/**
 * The page fields of an answer with `_links`, for a list that is computed for each answer. Links name pages only by number.
 *
 * @param address the list's URL without a query
 * @param request has at least one item a page
 */
export function numberedPage(
  address: string,
  parameters: ListParameters,
  request: PageRequest,
  count: number,
): ArtifactPage & { readonly _links: PageLinks } {
  const { page, perPage } = request;
  const last = Math.max(1, totalPages(count, perPage));
  const at = (number: number) => addressOf(address, parameters, number, perPage);
  const links = {
    self: at(page),
    first: at(1),
    ...(page > 1 ? { prev: at(Math.min(page - 1, last)) } : {}),
    ...(page < last ? { next: at(page + 1) } : {}),
    last: at(last),
  };
  return { ...pageFields(request, count), _links: links };
}

type Neighbour = readonly [page: number, cursor: Cursor];

function neighbours({ page }: PageRequest, { previous, first, last, more }: PageEnds) {
  const prev: Neighbour | null =
    previous === null || first === null ? null : [Math.max(1, page - 1), { side: 'before', key: first }];
  const next: Neighbour | null = !more || last === null ? null : [page + 1, { side: 'after', key: last }];
  return { prev, next };
}

/** Links to the first page of a list and to the neighbours of a page. A neighbour that does not exist is left out. */
export interface NeighbourLinks {
  readonly first: string;
  readonly prev?: string;
  readonly next?: string;
}

/**
 * Links of a page of a list that is not counted.
 *
 * @param address the list's URL without a query
 */
export function neighbourLinks(
  address: string,
  parameters: ListParameters,
  request: PageRequest,
  ends: PageEnds,
): NeighbourLinks {
  const { prev, next } = neighbours(request, ends);
  const link = (page: number, cursor: Cursor | null) => addressOf(address, parameters, page, request.perPage, cursor);
  return {
    first: link(1, null),
    ...(prev === null ? {} : { prev: link(...prev) }),
    ...(next === null ? {} : { next: link(...next) }),
  };
}

/** The longest header `Link` in bytes: each of its links repeats the query, and most clients read 16 KiB of headers. */
const LINK_BYTES = 8_192;

/** The same links as the header `Link` (RFC 8288). None for an empty page, and for links that are too long for clients. */
export function linkHeaderOf(links: NeighbourLinks | null): Readonly<Record<string, string>> {
  const link = Object.entries(links ?? {})
    .map(([name, address]) => `<${String(address)}>; rel="${name}"`)
    .join(', ');
  return link === '' || link.length > LINK_BYTES ? {} : { link };
}

function addressOf(
  address: string,
  parameters: ListParameters,
  page: number,
  perPage: number,
  cursor: Cursor | null = null,
): string {
  const query = new URLSearchParams({ page: String(page), per_page: String(perPage) });
  for (const [name, value] of Object.entries(parameters)) {
    for (const text of [value ?? []].flat()) query.append(name, String(text));
  }
  // A position in a link cannot contain null. Such a link names the page only by its number.
  if (cursor?.key.includes(null) === false) query.append(cursor.side, positionText(cursor.key));
  return `${address}?${query.toString()}`;
}

const SCAN = 500;

/** A list: the documents that an index selects, in the order of the index, filtered by `matches`. */
export interface Listing<T extends object> {
  readonly where: Query['where'];
  readonly order: NonNullable<Query['order']>;
  /** Null: all selected documents match. */
  readonly matches: ((doc: T) => boolean) | null;
}

/**
 * Reads one page of a collection and counts all documents of the listing. If the listing has a `matches` function, all selected documents are
 * read, in bounded pieces.
 */
export async function pageOf<T extends object>(
  collection: Collection<T>,
  { where, order, matches }: Listing<T>,
  { page, perPage, cursor = null }: PageRequest,
): Promise<PageOfDocuments<T> & { readonly count: number }> {
  const skip = (page - 1) * perPage;
  if (matches !== null)
    return pageByScan(readListing(collection, { where, order, matches }), order, perPage, cursor ?? skip);
  const count = await collection.count(where);
  if (cursor !== null) return { count, ...(await pageBeside(collection, { where, order }, {}, cursor, perPage)) };
  if (skip >= count) return { count, ...EMPTY_PAGE };
  const from = Math.max(0, skip - 1);
  const read = await collection.find({ where, order, skip: from, limit: perPage + skip - from });
  return { count, ...pageFromDocuments(order, read, { hasPrevious: skip > 0, perPage }), more: skip + perPage < count };
}

/** @param at the cursor of the page, or how many documents precede the page */
async function pageByScan<T extends object>(
  documents: AsyncIterable<StoredDocument<T>>,
  order: Listing<T>['order'],
  perPage: number,
  at: Cursor | number,
): Promise<PageOfDocuments<T> & { readonly count: number }> {
  let count = 0;
  // A page before a key consists of the last documents before that key.
  const before: StoredDocument<T>[] = [];
  const read: StoredDocument<T>[] = [];
  const isBefore = ({ doc }: StoredDocument<T>) => {
    if (typeof at === 'number') return count < at;
    const compared = compareToKey(order, doc, at.key);
    return at.side === 'after' ? compared <= 0 : compared < 0;
  };
  for await (const current of documents) {
    if (isBefore(current)) {
      before.push(current);
      if (before.length > perPage + 1) before.shift();
    } else if (read.length <= perPage) read.push(current);
    count += 1;
  }
  if (typeof at !== 'number' && at.side === 'before') {
    const hasPrevious = before.length > perPage;
    return {
      count,
      ...pageFromDocuments(order, [...before, ...read.slice(0, 1)], {
        hasPrevious,
        perPage: Math.min(perPage, before.length),
      }),
    };
  }
  const previous = before.slice(-1);
  return { count, ...pageFromDocuments(order, [...previous, ...read], { hasPrevious: previous.length > 0, perPage }) };
}

/** Reads all documents of a listing in order, in bounded pieces. */
export async function* readListing<T extends object>(
  collection: Collection<T>,
  { where, order, matches }: Listing<T>,
): AsyncGenerator<StoredDocument<T>> {
  for await (const page of pagesInOrder(collection, { where, order }, SCAN)) {
    for (const document of page) if (matches === null || matches(document.doc)) yield document;
  }
}

/** Whether tags include all requested ones: `key`, or `key:value` split at its first colon. */
export function hasTags(tags: Readonly<Record<string, string>>, requestedTags: readonly string[]): boolean {
  return requestedTags.every((tag) => {
    const colon = tag.indexOf(':');
    const key = colon === -1 ? tag : tag.slice(0, colon);
    return Object.hasOwn(tags, key) && (colon === -1 || tags[key] === tag.slice(colon + 1));
  });
}

/** The distinct tags of documents, by key and value. */
export async function distinctTags(
  listings: readonly AsyncIterable<StoredDocument<{ readonly tags: Readonly<Record<string, string>> }>>[],
): Promise<{ readonly key: string; readonly value: string }[]> {
  const results = new Map<string, { readonly key: string; readonly value: string }>();
  for (const listing of listings) {
    for await (const { doc } of listing) {
      for (const [key, value] of Object.entries(doc.tags)) results.set(JSON.stringify([key, value]), { key, value });
    }
  }
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...results.values()].sort((a, b) => compare(a.key, b.key) || compare(a.value, b.value));
}

/** The condition that a field has one of these values. */
export function anyOf(values: readonly string[]): Condition {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : { in: values };
}
