const AT_ONCE = 8;

/** The numbers from 0 to `count - 1`. */
export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Does so for each of the items, a few of them at the same time. */
export async function each<T>(items: readonly T[], does: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await does(item);
  };
  await Promise.all(range(AT_ONCE).map(worker));
}
