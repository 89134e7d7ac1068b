import { pieces } from '@assurance/kernel';

export const BATCH = 500;

/** Above this number of changes, work on one snapshot does not begin in a round of the event loop in which other work may run. */
export const LARGE = 1_000;

export function batches<T>(items: readonly T[]): T[][] {
  return pieces(items, BATCH);
}

export function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
