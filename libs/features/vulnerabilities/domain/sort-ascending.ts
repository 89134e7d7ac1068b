/** How many comparisons run before other work gets its turn. A comparison of long versions takes up to 0.3 ms. */
export const COMPARED_TOGETHER = 16;

/**
 * Sorts a list and keeps the order of equal items. A list that is already sorted takes one comparison per item.
 *
 * @param pause lets other work use the thread
 */
export async function sortAscending<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  pause: () => Promise<void>,
): Promise<readonly Item[]> {
  let comparisons = 0;
  const isInOrder = async (a: Item, b: Item) => {
    comparisons += 1;
    if (comparisons % COMPARED_TOGETHER === 0) await pause();
    return compare(a, b) <= 0;
  };
  let runs = await runsOf(items, isInOrder);
  while (runs.length > 1) {
    const longer: (readonly Item[])[] = [];
    for (let i = 0; i < runs.length; i += 2) longer.push(await mergeLists(runs[i] ?? [], runs[i + 1] ?? [], isInOrder));
    runs = longer;
  }
  return runs[0] ?? [];
}

type IsInOrder<Item> = (a: Item, b: Item) => Promise<boolean>;

/** Splits a list into runs that are already sorted. */
async function runsOf<Item>(items: readonly Item[], isInOrder: IsInOrder<Item>): Promise<(readonly Item[])[]> {
  const runs: Item[][] = [];
  let run: Item[] = [];
  for (const [i, item] of items.entries()) {
    if (i > 0 && !(await isInOrder(items[i - 1] as Item, item))) {
      runs.push(run);
      run = [];
    }
    run.push(item);
  }
  return run.length > 0 ? [...runs, run] : runs;
}

async function mergeLists<Item>(a: readonly Item[], b: readonly Item[], isInOrder: IsInOrder<Item>): Promise<Item[]> {
  const all: Item[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (await isInOrder(a[i] as Item, b[j] as Item)) all.push(a[i++] as Item);
    else all.push(b[j++] as Item);
  }
  return [...all, ...a.slice(i), ...b.slice(j)];
}
