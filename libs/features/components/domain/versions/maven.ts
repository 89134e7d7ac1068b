import { compareTexts } from '@assurance/kernel';
import { compareDigits, isDigits } from './order';
import type { VersionRules } from './rules';

/** Their order; the empty qualifier is a release. */
const QUALIFIERS = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const ALIASES = new Map([
  ['ga', ''],
  ['final', ''],
  ['release', ''],
  ['cr', 'rc'],
]);
/** Short for a qualifier when a digit follows at once. */
const SHORT = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['m', 'milestone'],
]);

/** Numbers, texts, and the separators between them; between a digit and another character there is one of no length. */
const TOKEN = /[0-9]+|[^0-9.-]+|[.-]/g;

/** Stands before the items of a list. A list is the last item of the list around it, so its end needs no sign. */
const LIST = '-';
/** Numbers, qualifiers and `LIST`. */
type Items = readonly string[];

function read(version: string): Items {
  const tokens = version.toLowerCase().match(TOKEN) ?? [];
  let list: string[] = [];
  const lists = [list];
  const nest = () => lists.push((list = []));
  let isAfterSeparator = true;
  for (const [at, token] of tokens.entries()) {
    const isSeparator = token === '.' || token === '-';
    if (isSeparator) {
      // Nothing between two separators is a zero.
      if (isAfterSeparator) list.push('0');
      if (token === '-') nest();
    } else {
      const next = tokens[at + 1] ?? '';
      if (!isAfterSeparator) nest();
      // A qualifier counts the same after a dot and after a hyphen.
      else if (!isDigits(token) && list.length > 0 && next !== '.' && next !== '-') nest();
      list.push(isDigits(token) ? token : qualifierOf(token, isDigits(next)));
    }
    isAfterSeparator = isSeparator;
  }
  return joinLists(lists);
}

function qualifierOf(text: string, beforeDigit: boolean): string {
  const qualifier = (beforeDigit && SHORT.get(text)) || text;
  return ALIASES.get(qualifier) ?? qualifier;
}

/** Nests lists: each becomes the last item of the previous one. Zeros and releases at the end of a list, and empty lists, are removed. */
function joinLists(lists: readonly Items[]): Items {
  const parts: Items[] = [];
  for (const list of lists.toReversed()) {
    const own = list.slice(0, list.findLastIndex((item) => compareWithNothing(item) !== 0) + 1);
    if (parts.length > 0) parts.push([LIST]);
    if (own.length > 0) parts.push(own);
  }
  return parts.reverse().flat();
}

/** Qualifiers come before lists, these before numbers. */
function rankOf(item: string): number {
  return item === LIST ? 1 : isDigits(item) ? 2 : 0;
}

/** A list is compared by its items, which follow. */
function compareWithNothing(item: string): number {
  if (item === LIST) return 0;
  return isDigits(item) ? compareDigits(item, '0') : compareQualifiers(item, '');
}

function compareQualifiers(a: string, b: string): number {
  const [left, right] = [QUALIFIERS.indexOf(a), QUALIFIERS.indexOf(b)];
  if (left < 0 && right < 0) return compareTexts(a, b);
  if (left < 0 || right < 0) return left < 0 ? 1 : -1;
  return Math.sign(left - right);
}

function compareItems(a: string, b: string): number {
  const order = Math.sign(rankOf(a) - rankOf(b));
  return order || (isDigits(a) ? compareDigits(a, b) : compareQualifiers(a, b));
}

function compare(a: Items, b: Items): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [left, right] = [a[at], b[at]];
    if (left === right) continue;
    const order =
      left === undefined
        ? -compareWithNothing(right ?? '')
        : right === undefined
          ? compareWithNothing(left)
          : compareItems(left, right);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * The order of Maven, as `ComparableVersion` of Maven 3.9 defines it. Every text is a version.
 *
 * @see https://maven.apache.org/pom.html#version-order-specification
 */
export const maven: VersionRules<Items> = { read, compare };
