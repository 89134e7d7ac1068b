import { compareTexts } from '@assurance/kernel';

/** Whether a text is one or more ASCII digits. */
export function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

/** The order of two texts of digits as numbers of any size; an empty text is zero. */
export function compareDigits(a: string, b: string): number {
  const [left, right] = [withoutZeros(a), withoutZeros(b)];
  return Math.sign(left.length - right.length) || compareTexts(left, right);
}

function withoutZeros(digits: string): string {
  let from = 0;
  while (digits[from] === '0') from++;
  return digits.slice(from);
}

/**
 * The order of two lists by their first unequal items.
 *
 * @param missingItem stands for the items that the shorter list does not have
 */
export function compareLists<Item>(
  a: readonly Item[],
  b: readonly Item[],
  missingItem: Item,
  compare: (left: Item, right: Item) => number,
): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const order = compare(a[at] ?? missingItem, b[at] ?? missingItem);
    if (order !== 0) return order;
  }
  return 0;
}

/** The order of identifiers of pre-releases: numbers by value and before texts, texts by ASCII (SemVer 2.0.0, section 11.4). */
function compareIdentifiers(a: string, b: string): number {
  const [isLeft, isRight] = [isDigits(a), isDigits(b)];
  if (isLeft && isRight) return compareDigits(a, b);
  if (isLeft !== isRight) return isLeft ? -1 : 1;
  return compareTexts(a, b);
}

/** The order of the labels of pre-releases; null for a release, which comes after its pre-releases. */
export function compareLabels(a: readonly string[] | null, b: readonly string[] | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareLists<string | null>(a, b, null, (left, right) =>
    left === null || right === null ? Number(left !== null) - Number(right !== null) : compareIdentifiers(left, right),
  );
}

/**
 * The position of a value among ascending groups: that of the first group that is not before it.
 *
 * @param order of the value and a group; undefined where they cannot be compared
 * @returns undefined if the value cannot be compared with a group
 */
export function placeAmong<Group>(
  groups: readonly Group[],
  order: (group: Group) => number | undefined,
): { readonly at: number; readonly isEqual: boolean } | undefined {
  let [low, high, isEqual] = [0, groups.length, false];
  while (low < high) {
    const middle = (low + high) >> 1;
    const comparison = order(groups[middle] as Group);
    if (comparison === undefined) return undefined;
    if (comparison > 0) low = middle + 1;
    else [high, isEqual] = [middle, isEqual || comparison === 0];
  }
  return { at: low, isEqual };
}
