import { compareRead, compareVersions, type ReadVersion, readVersion } from './compare';
import type { Ecosystem } from './ecosystem';
import { placeAmong } from './order';

/** The longest range that is read (UTF-16 units). */
export const RANGE_LENGTH = 1_024;
/** The most bounds of a range: each is compared with every version. */
export const BOUNDS_MAX = 20;

/** What each operator asks of the order of a version and its bound. */
const OPERATORS = {
  '=': (order: number) => order === 0,
  '!=': (order: number) => order !== 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
} as const;

interface Bound {
  readonly operator: keyof typeof OPERATORS;
  readonly version: string;
}

/** Alternatives, each a list of bounds that all hold. */
export type Range = readonly (readonly Bound[])[];

/** One bound: an operator, which is `=` where it is missing, and a version, in which `!` may end an epoch of PyPI. */
const BOUND = /^(!=|<=|>=|=|<|>|)\s*([^\s=!<>][^\s=<>]*)$/;
/** Brackets of intervals, and wildcards. */
const OTHER_NOTATION = /[[\]()*]|(?:^|[.-])[xX](?:$|[.-])/;

function parseBound(text: string): Bound | undefined {
  const [, operator = '', version = ''] = BOUND.exec(text.trim()) ?? [];
  return version === '' ? undefined : { operator: (operator || '=') as Bound['operator'], version };
}

/**
 * Reads a range of versions. It has bounds such as `>=2`. A comma joins bounds that must all hold. `|` or `||` joins alternatives. The
 * operators are `=`, `!=`, `<`, `<=`, `>` and `>=`; a version without an operator means `=`.
 *
 * @returns undefined for anything else; `too-long` for more than 1,024 characters; `too-many-bounds` beyond 20
 */
export function readRange(text: string): Range | 'too-long' | 'too-many-bounds' | undefined {
  if (text.length > RANGE_LENGTH) return 'too-long';
  const alternatives = text.split(/\|\|?/).map((part) => part.split(',').map(parseBound));
  if (!isComplete(alternatives)) return undefined;
  return alternatives.flat().length > BOUNDS_MAX ? 'too-many-bounds' : alternatives;
}

/**
 * Whether a bound is written as other tools write ranges: `[2.0,2.17)` of Maven, or `2.x`. Maven takes such a text for a version, so such a
 * range would name nothing.
 */
export function isOtherNotation(range: Range): boolean {
  return range.some((bounds) => bounds.some(({ version }) => OTHER_NOTATION.test(version)));
}

function isComplete(range: readonly (readonly (Bound | undefined)[])[]): range is Range {
  return range.every((bounds) => bounds.every((bound) => bound !== undefined));
}

/**
 * Whether a version is in a range, by the rules of its ecosystem.
 *
 * @returns undefined if it depends on a bound that cannot be compared with the version
 */
export function isVersionInRange(ecosystem: Ecosystem, version: string, range: Range): boolean | undefined {
  return satisfies(range, (bound) => compareVersions(ecosystem, version, bound));
}

/** `isVersionInRange` for many versions: each is compared with some of the bounds. */
export function rangeMatcher(range: Range): (ecosystem: Ecosystem, version: string) => boolean | undefined {
  const rankedByEcosystem = new Map<Ecosystem, RankedVersions | null>();
  return (ecosystem, version) => {
    let bounds = rankedByEcosystem.get(ecosystem);
    if (bounds === undefined) rankedByEcosystem.set(ecosystem, (bounds = rankedBounds(ecosystem, range)));
    const read = readVersion(ecosystem, version);
    const place = bounds && placeAmong(bounds.versions, (bound) => compareRead(ecosystem, read, bound));
    if (!bounds || !place) return isVersionInRange(ecosystem, version, range);
    const { ranks } = bounds;
    const before = place.isEqual ? 0 : -0.5;
    return satisfies(range, (bound) => place.at + before - (ranks.get(bound) ?? 0));
  };
}

/** The versions of bounds in their order, equal ones once, and the place of each text. */
interface RankedVersions {
  readonly versions: readonly ReadVersion[];
  readonly ranks: ReadonlyMap<string, number>;
}

/** Null where some cannot be compared. */
function rankedBounds(ecosystem: Ecosystem, range: Range): RankedVersions | null {
  const texts = [...new Set(range.flat().map(({ version }) => version))];
  const bounds = texts.map((text) => ({ text, read: readVersion(ecosystem, text) }));
  if (bounds.some(({ read }) => compareRead(ecosystem, read, bounds[0]?.read ?? null) === undefined)) return null;
  const versions: ReadVersion[] = [];
  const ranks = new Map<string, number>();
  for (const { text, read } of bounds.sort((a, b) => compareRead(ecosystem, a.read, b.read) ?? 0)) {
    const last = versions.at(-1);
    if (last === undefined || compareRead(ecosystem, last, read) !== 0) versions.push(read);
    ranks.set(text, versions.length - 1);
  }
  return { versions, ranks };
}

/** @param orderOf the order of the version and a bound; undefined where they cannot be compared */
function satisfies(range: Range, orderOf: (bound: string) => number | undefined): boolean | undefined {
  let answer: boolean | undefined = false;
  for (const bounds of range) {
    const holds = satisfiesAll(bounds, orderOf);
    if (holds) return true;
    if (holds === undefined) answer = undefined;
  }
  return answer;
}

function satisfiesAll(bounds: readonly Bound[], orderOf: (bound: string) => number | undefined): boolean | undefined {
  let answer: boolean | undefined = true;
  for (const { operator, version } of bounds) {
    const order = orderOf(version);
    if (order === undefined) answer = undefined;
    else if (!OPERATORS[operator](order)) return false;
  }
  return answer;
}
