import type { ArtifactPage, PageLinks } from '@assurance/contracts-http';
import { type Collection, type Condition, type Found, foundPages, type Query } from '@assurance/storage-ports';

/** Which page of a list. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  /** 0 asks for the counts alone. */
  readonly perPage: number;
}

/** How many pages a list has: 0 when there is nothing or a page holds nothing. */
export function totalPages(count: number, perPage: number): number {
  return perPage === 0 ? 0 : Math.ceil(count / perPage);
}

/** The page fields of an answer. */
export function pageFields({ page, perPage }: PageRequest, count: number): ArtifactPage {
  return { page, per_page: perPage, total_pages: totalPages(count, perPage), total_count: count };
}

/** What a list was asked for, by the names of its parameters; one of several values is repeated in links. */
export type ListParameters = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

/**
 * The page fields of an answer with `_links`.
 *
 * @param address the list's URL without a query
 */
export function linkedPage(address: string, parameters: ListParameters, page: PageRequest, count: number) {
  return { ...pageFields(page, count), _links: pageLinks(address, parameters, page, count) };
}

/** Absolute, with every parameter; `next` and `prev` are left out at the ends; null when a page holds nothing. */
function pageLinks(
  address: string,
  parameters: ListParameters,
  { page, perPage }: PageRequest,
  count: number,
): PageLinks | null {
  if (perPage === 0) return null;
  const last = Math.max(1, totalPages(count, perPage));
  const at = (number: number) => {
    const query = new URLSearchParams({ page: String(number), per_page: String(perPage) });
    for (const [name, value] of Object.entries(parameters)) {
      for (const one of [value ?? []].flat()) query.append(name, String(one));
    }
    return `${address}?${query.toString()}`;
  };
  return {
    self: at(page),
    first: at(1),
    ...(page > 1 ? { prev: at(Math.min(page - 1, last)) } : {}),
    ...(page < last ? { next: at(page + 1) } : {}),
    last: at(last),
  };
}

const SCAN = 500;

/** A list: the documents that an index selects, in the order of the index, filtered by `matches`. */
export interface Listing<T extends object> {
  readonly where: Query['where'];
  readonly order: NonNullable<Query['order']>;
  /** Null where all of it does. */
  readonly matches: ((doc: T) => boolean) | null;
}

/**
 * One page of a collection, and how many documents there are on all. Where something is left to match, the selected documents are read
 * through in bounded pieces.
 */
export async function pageOf<T extends object>(
  collection: Collection<T>,
  { where, order, matches }: Listing<T>,
  { page, perPage }: PageRequest,
): Promise<{ readonly found: readonly Found<T>[]; readonly count: number }> {
  const from = (page - 1) * perPage;
  if (matches === null) {
    const count = await collection.count(where);
    return { count, found: from >= count ? [] : await collection.find({ where, order, skip: from, limit: perPage }) };
  }
  const found: Found<T>[] = [];
  let count = 0;
  for await (const one of every(collection, { where, order, matches })) {
    if (count >= from && found.length < perPage) found.push(one);
    count += 1;
  }
  return { found, count };
}

/** All of a listing, in order, read in bounded pieces. */
export async function* every<T extends object>(
  collection: Collection<T>,
  { where, order, matches }: Listing<T>,
): AsyncGenerator<Found<T>> {
  for await (const some of foundPages(collection, { where, order }, SCAN)) {
    for (const one of some) if (matches === null || matches(one.doc)) yield one;
  }
}

/** Whether tags have all that is asked for: `key`, or `key:value` split at its first colon. */
export function hasTags(tags: Readonly<Record<string, string>>, asked: readonly string[]): boolean {
  return asked.every((one) => {
    const colon = one.indexOf(':');
    const key = colon === -1 ? one : one.slice(0, colon);
    return Object.hasOwn(tags, key) && (colon === -1 || tags[key] === one.slice(colon + 1));
  });
}

/** The condition that a field has one of these values. */
export function oneOrMany(values: readonly string[]): Condition {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : { in: values };
}
