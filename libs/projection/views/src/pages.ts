import type { ArtifactPage, PageLinks } from '@assurance/contracts-http';

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

/**
 * `_links` of a page: absolute, with every filter; `next` and `prev` are left out at the ends; null when a page holds nothing.
 *
 * @param address the list's URL without a query
 * @param filters what the list was asked for, repeated keys repeated
 */
export function pageLinks(
  address: string,
  filters: readonly (readonly [name: string, value: string])[],
  { page, perPage }: PageRequest,
  count: number,
): PageLinks | null {
  if (perPage === 0) return null;
  const last = Math.max(1, totalPages(count, perPage));
  const at = (number: number) => {
    const query = new URLSearchParams([
      ['page', String(number)],
      ['per_page', String(perPage)],
      ...filters.map(([name, value]) => [name, value]),
    ] as [string, string][]);
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
