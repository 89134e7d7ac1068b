import { WHOLE_LIST_MAX } from '@assurance/contracts/environments/answers/catalogue';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';

/** The most artifacts that are looked for, on all pages. */
export const LISTED_MAX = 10_000;
/** How many items are read at once. */
const TOGETHER = 16;

/** The items of a page; without one as many as a list without pages may have. */
export function sliceOf<T>(items: readonly T[], page: PageRequest | null): readonly T[] {
  const { page: number, perPage } = page ?? { page: 1, perPage: WHOLE_LIST_MAX };
  return items.slice((number - 1) * perPage, number * perPage);
}

/** What is read for each item, in their order, some at once. */
export async function mapConcurrently<T, U>(items: readonly T[], read: (item: T) => Promise<U>): Promise<U[]> {
  const results: U[] = [];
  for (let i = 0; i < items.length; i += TOGETHER) {
    results.push(...(await Promise.all(items.slice(i, i + TOGETHER).map(read))));
  }
  return results;
}
