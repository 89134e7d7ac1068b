export const BATCH = 500;

export function batches<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) => items.slice(i * BATCH, (i + 1) * BATCH));
}

export function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
