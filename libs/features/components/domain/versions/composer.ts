import { compareDigits, compareLists } from './order';
import type { VersionRules } from './rules';

/** The form that Composer normalizes: up to four numbers, a stability with numbers, `dev`, and metadata, which is ignored. */
const VERSION =
  /^v?([0-9]+(?:\.[0-9]+){0,3})(?:[._-]?(stable|beta|b|rc|alpha|a|patch|pl|p)([.-]?[0-9]+(?:[.-][0-9]+)*)?)?([.-]?dev)?(?:\+[^\s+]+)?$/;
const STABILITIES = ['alpha', 'beta', 'rc', 'stable', 'patch'];
const SPELLINGS = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['p', 'patch'],
  ['pl', 'patch'],
]);

interface Version {
  readonly numbers: readonly string[];
  readonly stability: number;
  readonly stabilityNumbers: readonly string[];
  readonly isDev: boolean;
}

function versionOf(text: string): Version | null {
  const match = VERSION.exec(text.trim().toLowerCase());
  if (match === null) return null;
  const [, numbers = '', stability = 'stable', after = '', dev] = match;
  return {
    numbers: numbers.split('.'),
    stability: STABILITIES.indexOf(SPELLINGS.get(stability) ?? stability),
    stabilityNumbers: after.match(/[0-9]+/g) ?? [],
    isDev: dev !== undefined,
  };
}

/**
 * The order of Composer: numbers, then dev before alpha, beta, RC, stable and patch. Branches (`dev-main`) have no order.
 *
 * @see https://getcomposer.org/doc/articles/versions.md
 */
export const composer: VersionRules<Version> = { read: versionOf, compare };

function compare(left: Version, right: Version): number {
  const isPlainDev = ({ isDev, stability }: Version) => isDev && STABILITIES[stability] === 'stable';
  return (
    compareLists(left.numbers, right.numbers, '0', compareDigits) ||
    Number(isPlainDev(right)) - Number(isPlainDev(left)) ||
    Math.sign(left.stability - right.stability) ||
    compareLists<string | null>(left.stabilityNumbers, right.stabilityNumbers, null, (first, second) =>
      first === null || second === null
        ? Number(first !== null) - Number(second !== null)
        : compareDigits(first, second),
    ) ||
    Number(right.isDev) - Number(left.isDev)
  );
}
