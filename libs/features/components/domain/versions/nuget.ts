import { compareDigits, compareIdentifiers, compareLists } from './order';

const VERSION =
  /^([0-9]+(?:\.[0-9]+){0,3})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * The order of NuGet: SemVer 2.0.0 with up to four numbers, where missing ones are zero, and pre-releases in any case.
 *
 * @see https://learn.microsoft.com/en-us/nuget/concepts/package-versioning
 * @returns undefined where one is no such version
 */
export function compareNuget(a: string, b: string): number | undefined {
  const [left, right] = [VERSION.exec(a), VERSION.exec(b)];
  if (left === null || right === null) return undefined;
  const [, numbers = '', before] = left;
  const [, otherNumbers = '', otherBefore] = right;
  const order = compareLists(numbers.split('.'), otherNumbers.split('.'), '0', compareDigits);
  if (order !== 0) return order;
  // A pre-release comes before its release.
  if (before === undefined || otherBefore === undefined) {
    return Number(before === undefined) - Number(otherBefore === undefined);
  }
  const [labels, otherLabels] = [before, otherBefore].map((text) => text.toLowerCase().split('.'));
  return compareLists<string | null>(labels ?? [], otherLabels ?? [], null, (first, second) =>
    first === null || second === null
      ? Number(first !== null) - Number(second !== null)
      : compareIdentifiers(first, second),
  );
}
