import { compareVersions } from './compare';
import type { Ecosystem } from './ecosystem';

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

/** One bound: an operator, which is `=` where it is missing, and a version without the characters of the notation. */
const BOUND = /^(!=|<=|>=|=|<|>|)\s*([^\s=!<>]+)$/;

function parseBound(text: string): Bound | undefined {
  const [, operator = '', version = ''] = BOUND.exec(text.trim()) ?? [];
  return version === '' ? undefined : { operator: (operator || '=') as Bound['operator'], version };
}

/**
 * Reads a range of versions: bounds such as `>=2`, joined by a comma where all must hold, and by `|` or `||` where one suffices. Operators are `=`,
 * `!=`, `<`, `<=`, `>` and `>=`; a version alone stands for `=`.
 *
 * @returns undefined for anything else; `too-long` for more than 1,024 characters; `too-many-bounds` beyond 20
 */
export function readRange(text: string): Range | 'too-long' | 'too-many-bounds' | undefined {
  if (text.length > RANGE_LENGTH) return 'too-long';
  const alternatives = text.split(/\|\|?/).map((part) => part.split(',').map(parseBound));
  if (!isComplete(alternatives)) return undefined;
  return alternatives.flat().length > BOUNDS_MAX ? 'too-many-bounds' : alternatives;
}

function isComplete(range: readonly (readonly (Bound | undefined)[])[]): range is Range {
  return range.every((bounds) => bounds.every((bound) => bound !== undefined));
}

/**
 * Whether a version is in a range, by the rules of its ecosystem.
 *
 * @returns undefined where it cannot be said: what decides cannot be compared
 */
export function isVersionInRange(ecosystem: Ecosystem, version: string, range: Range): boolean | undefined {
  let answer: boolean | undefined = false;
  for (const bounds of range) {
    const holds = satisfiesAll(ecosystem, version, bounds);
    if (holds) return true;
    if (holds === undefined) answer = undefined;
  }
  return answer;
}

function satisfiesAll(ecosystem: Ecosystem, version: string, bounds: readonly Bound[]): boolean | undefined {
  let answer: boolean | undefined = true;
  for (const bound of bounds) {
    const order = compareVersions(ecosystem, version, bound.version);
    if (order === undefined) answer = undefined;
    else if (!OPERATORS[bound.operator](order)) return false;
  }
  return answer;
}
