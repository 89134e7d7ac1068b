import { pieces } from '@assurance/kernel';
import type { Collection, Document } from '@assurance/storage-ports';

export const BATCH = 500;

/** Above this number of changes, work on one snapshot does not begin in a round of the event loop in which other work may run. */
export const LARGE = 1_000;

export function batches<T>(items: readonly T[]): T[][] {
  return pieces(items, BATCH);
}

/** Writes rows under their ids. Rows that are there are replaced. */
export async function putRows<T extends Document>(
  collection: Pick<Collection<T>, 'write'>,
  rows: ReadonlyMap<string, T>,
): Promise<void> {
  for (const some of batches([...rows])) await collection.write(some.map(([id, doc]) => ({ kind: 'put', id, doc })));
}

export function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
