import { compareTexts } from '@assurance/kernel';
import { compareDigits, isDigits } from './order';
import type { VersionRules } from './rules';

interface Version {
  readonly epoch: string;
  readonly version: string;
  readonly release: string;
}

function versionOf(text: string): Version | null {
  if (!/^[\x21-\x7e]+$/.test(text)) return null;
  const colon = text.indexOf(':');
  const epoch = text.slice(0, Math.max(colon, 0));
  const rest = text.slice(colon + 1);
  const hyphen = rest.indexOf('-');
  const version = hyphen < 0 ? rest : rest.slice(0, hyphen);
  if (!/^[0-9]*$/.test(epoch) || version === '') return null;
  return { epoch, version, release: hyphen < 0 ? '' : rest.slice(hyphen + 1) };
}

/** Numbers, words, and the two signs with a meaning; everything else separates. */
const SEGMENT = /[0-9]+|[A-Za-z]+|[~^]/g;

/** A tilde comes before the end; a caret after the end, and before everything else. */
function rankOf(segment: string | undefined): number {
  if (segment === undefined) return 1;
  if (segment === '~') return 0;
  if (segment === '^') return 2;
  return isDigits(segment) ? 4 : 3;
}

function compareParts(a: string, b: string): number {
  const [left, right] = [a.match(SEGMENT) ?? [], b.match(SEGMENT) ?? []];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [first = '', second = ''] = [left[at], right[at]];
    const order =
      Math.sign(rankOf(left[at]) - rankOf(right[at])) ||
      (isDigits(first) ? compareDigits(first, second) : compareTexts(first, second));
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * The order of RPM packages: `[epoch:]version[-release]`, each by `rpmvercmp`. A version without a release comes before its releases.
 *
 * @see https://rpm-software-management.github.io/rpm/man/rpm-version.7
 */
export const rpm: VersionRules<Version> = { read: versionOf, compare };

function compare(left: Version, right: Version): number {
  return (
    compareDigits(left.epoch, right.epoch) ||
    compareParts(left.version, right.version) ||
    compareParts(left.release, right.release)
  );
}
