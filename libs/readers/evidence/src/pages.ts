import type { Collection, Found, Query } from '@assurance/storage-ports';

const PIECE = 1_000;

/** All that a query finds, read in bounded pieces: what is asked for is bounded by whoever wrote it. */
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

/** Documents by id, however many. */
export async function manyOf<T extends object>(
  collection: Collection<T>,
  ids: Iterable<string>,
): Promise<Map<string, T>> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, T>();
  for (let i = 0; i < wanted.length; i += PIECE) {
    for (const [id, doc] of await collection.getMany(wanted.slice(i, i + PIECE))) found.set(id, doc);
  }
  return found;
}
