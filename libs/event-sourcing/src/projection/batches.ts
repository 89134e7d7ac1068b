import { pieces } from '@assurance/kernel';
import type { Collection, Document } from '@assurance/storage-ports';

export const BATCH = 500;

/** A snapshot with more changes than this is large: work on it begins in a separate round of the event loop. */
export const LARGE = 1_000;

export function batches<T>(items: readonly T[]): T[][] {
  return pieces(items, BATCH);
}

/** Writes rows under their ids. Replaces existing rows. */
export async function putRows<T extends Document>(
  collection: Pick<Collection<T>, 'write'>,
  rows: ReadonlyMap<string, T>,
): Promise<void> {
  for (const batch of batches([...rows])) await collection.write(batch.map(([id, doc]) => ({ kind: 'put', id, doc })));
}

export function removeDuplicates<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
