import type { PageRequest } from '@assurance/projection-views';

/** The page that a list may be asked for; null unless one of both parameters is given. */
export function optionalPage(
  { page, per_page }: { readonly page?: number | undefined; readonly per_page?: number | undefined },
  usual: number,
): PageRequest | null {
  return page === undefined && per_page === undefined ? null : { page: page ?? 1, perPage: per_page ?? usual };
}
