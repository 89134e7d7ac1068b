import { compareTexts } from '@assurance/kernel';
import { compareDigits, isDigits } from './order';

/** A number, a qualifier, or what follows a hyphen. */
type Item = string | Item[];

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

function itemsOf(version: string): Item[] {
  const tokens = version.toLowerCase().match(TOKEN) ?? [];
  const root: Item[] = [];
  const lists = [root];
  let list = root;
  const nest = () => {
    const inner: Item[] = [];
    list.push(inner);
    lists.push(inner);
    list = inner;
  };
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
  for (const inner of lists.reverse()) trimEmptyEnd(inner);
  return root;
}

function qualifierOf(text: string, beforeDigit: boolean): string {
  const qualifier = (beforeDigit && SHORT.get(text)) || text;
  return ALIASES.get(qualifier) ?? qualifier;
}

/** Zeros, releases and empty lists at the end say nothing; lists that say something may stand between them. */
function trimEmptyEnd(list: Item[]): void {
  for (let at = list.length - 1; at >= 0; at--) {
    const item = list[at];
    if (item === undefined || compareItems(item, undefined) === 0) list.splice(at, 1);
    else if (typeof item === 'string') return;
  }
}

function compareQualifiers(a: string, b: string): number {
  const [left, right] = [QUALIFIERS.indexOf(a), QUALIFIERS.indexOf(b)];
  if (left < 0 && right < 0) return compareTexts(a, b);
  if (left < 0 || right < 0) return left < 0 ? 1 : -1;
  return Math.sign(left - right);
}

/** Qualifiers come before lists, these before numbers. */
function rankOf(item: Item): number {
  return typeof item !== 'string' ? 1 : isDigits(item) ? 2 : 0;
}

function compareItems(a: Item, b: Item | undefined): number {
  if (b === undefined) {
    if (typeof a !== 'string') {
      for (const item of a) {
        const order = compareItems(item, undefined);
        if (order !== 0) return order;
      }
      return 0;
    }
    return isDigits(a) ? compareDigits(a, '0') : compareQualifiers(a, '');
  }
  if (rankOf(a) !== rankOf(b)) return Math.sign(rankOf(a) - rankOf(b));
  if (typeof a === 'string' || typeof b === 'string') {
    return isDigits(String(a)) ? compareDigits(String(a), String(b)) : compareQualifiers(String(a), String(b));
  }
  return compareSequences(a, b);
}

function compareSequences(a: readonly Item[], b: readonly Item[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [left, right] = [a[at], b[at]];
    const order =
      left !== undefined ? compareItems(left, right) : right !== undefined ? -compareItems(right, undefined) : 0;
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * The order of Maven: that of `ComparableVersion` of Maven 3.9, which knows no text that is no version.
 *
 * @see https://maven.apache.org/pom.html#version-order-specification
 */
export function compareMaven(a: string, b: string): number {
  return compareSequences(itemsOf(a), itemsOf(b));
}
