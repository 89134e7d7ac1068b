import type { Collection, Found, Query } from '@assurance/storage-ports';

const PIECE = 1_000;

/** Reads all results of a query in bounded pages. The writer of the documents bounds their number. */
export async function allOf<T extends object>(
  collection: Collection<T>,
  query: Omit<Query, 'skip' | 'limit'>,
): Promise<T[]> {
  const found: Found<T>[] = [];
  for (;;) {
    const piece = await collection.find({ ...query, skip: found.length, limit: PIECE });
    found.push(...piece);
    if (piece.length < PIECE) return found.map(({ doc }) => doc);
  }
}
