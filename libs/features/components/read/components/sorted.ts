import { compareTexts, pieces, Slices } from '@assurance/kernel';

/** How many texts are sorted without a pause. */
const TOGETHER = 1_000;

/** Texts in their order (UTF-16 units). Other work gets turns meanwhile. */
export async function sortedInSlices(texts: Iterable<string>): Promise<string[]> {
  const slices = new Slices();
  let lists: string[][] = [];
  for (const group of pieces([...texts], TOGETHER)) {
    await slices.pause();
    lists.push(group.sort(compareTexts));
  }
  while (lists.length > 1) {
    const longer: string[][] = [];
    for (const [a = [], b = []] of pieces(lists, 2)) longer.push(await mergeSorted(a, b, slices));
    lists = longer;
  }
  return lists[0] ?? [];
}

async function mergeSorted(a: readonly string[], b: readonly string[], slices: Slices): Promise<string[]> {
  const all: string[] = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length;) {
    if (all.length % TOGETHER === 0) await slices.pause();
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && (right === undefined || compareTexts(left, right) <= 0)) {
      all.push(left);
      i += 1;
    } else if (right !== undefined) {
      all.push(right);
      j += 1;
    }
  }
  return all;
}
