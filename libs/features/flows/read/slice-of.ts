import { WHOLE_LIST_MAX } from '@assurance/contracts/environments/answers/catalogue';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';

/** The most artifacts that are looked up, on all pages together. */
export const LISTED_MAX = 10_000;
/** How many items are read at once. */
export const TOGETHER = 16;

/** Returns the items of a page. Without a page, it returns as many as an unpaged list may have. */
export function sliceOf<T>(items: readonly T[], page: PageRequest | null): readonly T[] {
  const { page: number, perPage } = page ?? { page: 1, perPage: WHOLE_LIST_MAX };
  return items.slice((number - 1) * perPage, number * perPage);
}
