import { pieces } from './cut';

/**
 * Does work on several items at the same time. After an error, no further item starts. All work that has started is
 * finished when this resolves or throws.
 *
 * @param maxConcurrency how many items at the same time at most
 * @throws the first error
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  maxConcurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = [...items].values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const item of iterator) {
      if (failures.length > 0) return;
      try {
        await work(item);
      } catch (failure) {
        failures.push(failure);
      }
    }
  };
  await Promise.all(Array.from({ length: maxConcurrency }, worker));
  if (failures.length > 0) throw failures[0];
}

/**
 * Waits for several promises. If one rejects, its error is thrown only after all have settled, so that no work continues
 * unobserved.
 */
export async function waitForAll<const T extends readonly unknown[]>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/** Returns a value of each item, in order. At most `most` items are processed at the same time. */
export async function mapConcurrently<T, U>(
  items: readonly T[],
  most: number,
  valueOf: (item: T) => Promise<U>,
): Promise<U[]> {
  const values: U[] = [];
  for (const some of pieces(items, most)) values.push(...(await Promise.all(some.map(valueOf))));
  return values;
}
