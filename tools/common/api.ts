import { setTimeout as sleep } from 'node:timers/promises';

/** Does so for each of the items, `atOnce` of them at the same time. */
export async function each<T>(items: readonly T[], does: (item: T) => Promise<unknown>, atOnce = 8): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) await does(items[next++] as T);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

/** The numbers from 0 to `count - 1`. */
export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/**
 * Waits until something holds. Looks at least once.
 *
 * @param patience how long (milliseconds)
 * @returns whether it came to hold in that time
 */
export async function until(
  holds: () => Promise<boolean> | boolean,
  patience = Infinity,
  pause = 50,
): Promise<boolean> {
  for (const end = performance.now() + patience; ; await sleep(pause)) {
    if (await holds()) return true;
    if (performance.now() >= end) return false;
  }
}

/** @throws Error if there is none */
export function first<T>(items: readonly T[], what = 'item'): T {
  const [one] = items;
  if (one === undefined) throw new Error(`there is no ${what}`);
  return one;
}
