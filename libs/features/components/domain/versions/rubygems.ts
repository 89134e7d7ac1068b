import { compareTexts } from '@assurance/kernel';
import { compareDigits, compareLists, isDigits } from './order';
import type { VersionRules } from './rules';

const VERSION = /^[0-9]+(?:\.[0-9A-Za-z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** Numbers and words; zeros at the end, and before the first word, say nothing. */
function segmentsOf(version: string): readonly string[] | null {
  const text = version.trim();
  if (!VERSION.test(text)) return null;
  const segments = text.replaceAll('-', '.pre.').match(/[0-9]+|[A-Za-z]+/g) ?? [];
  const firstWord = segments.findIndex((segment) => !isDigits(segment));
  const split = firstWord < 0 ? segments.length : firstWord;
  return [...withoutZeros(segments.slice(0, split)), ...withoutZeros(segments.slice(split))];
}

function withoutZeros(segments: readonly string[]): readonly string[] {
  const last = segments.findLastIndex((segment) => !isDigits(segment) || compareDigits(segment, '0') !== 0);
  return segments.slice(0, last + 1);
}

function compareSegments(a: string, b: string): number {
  const [isLeft, isRight] = [isDigits(a), isDigits(b)];
  if (isLeft && isRight) return compareDigits(a, b);
  if (isLeft !== isRight) return isLeft ? 1 : -1;
  return compareTexts(a, b);
}

/**
 * The order of RubyGems: that of `Gem::Version`. A word makes a pre-release.
 *
 * @see https://guides.rubygems.org/patterns/#semantic-versioning and https://docs.ruby-lang.org/en/master/Gem/Version.html
 */
export const rubygems: VersionRules<readonly string[]> = {
  read: segmentsOf,
  compare: (a, b) => compareLists(a, b, '0', compareSegments),
};
