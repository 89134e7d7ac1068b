import { pieces } from '@assurance/kernel';

export const BATCH = 500;

export function batches<T>(items: readonly T[]): T[][] {
  return pieces(items, BATCH);
}

export function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
