import { compareDigits, compareIdentifiers, compareLists } from './order';

const VERSION =
  /^v?([0-9]+(?:\.[0-9]+)*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * The order that ecosystems share: numbers between dots, where missing ones are zero, and a pre-release after a hyphen, which comes before its
 * release. Anything else equals itself alone.
 *
 * @returns undefined where no rule that all share orders them
 */
export function compareGeneric(a: string, b: string): number | undefined {
  if (a === b) return 0;
  const [left, right] = [VERSION.exec(a), VERSION.exec(b)];
  if (left === null || right === null) return undefined;
  const [, numbers = '', before] = left;
  const [, otherNumbers = '', otherBefore] = right;
  const order = compareLists(numbers.split('.'), otherNumbers.split('.'), '0', compareDigits);
  if (order !== 0 || before === otherBefore) return order;
  if (before === undefined || otherBefore === undefined) return before === undefined ? 1 : -1;
  return compareLists<string | null>(before.split('.'), otherBefore.split('.'), null, (first, second) =>
    first === null || second === null
      ? Number(first !== null) - Number(second !== null)
      : compareIdentifiers(first, second),
  );
}
