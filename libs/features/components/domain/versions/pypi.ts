import { compareTexts } from '@assurance/kernel';
import { compareDigits, compareLists, isDigits } from './order';
import type { VersionRules } from './rules';

/** A version in any spelling that PEP 440 accepts (its appendix B); every part begins with what the part before cannot contain. */
const VERSION =
  /^v?(?:([0-9]+)!)?([0-9]+(?:\.[0-9]+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?([0-9]*))?(?:-([0-9]+)|[-_.]?(post|rev|r)[-_.]?([0-9]*))?(?:[-_.]?(dev)[-_.]?([0-9]*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/;

/** Phases of a release in their order. A final release is between candidates and what follows it. */
const PHASES = ['dev', 'a', 'b', 'rc', 'final'];
const SPELLINGS = new Map([
  ['alpha', 'a'],
  ['beta', 'b'],
  ...['c', 'pre', 'preview'].map((text) => [text, 'rc'] as const),
]);

interface Version {
  readonly epoch: string;
  readonly release: readonly string[];
  /** The index in `PHASES`. */
  readonly phase: number;
  readonly phaseNumber: string;
  /** Digits; null where it is no post-release, which comes before all. */
  readonly post: string | null;
  /** Digits; null where it is no development release, which comes after all. */
  readonly dev: string | null;
  readonly local: readonly string[];
}

function versionOf(text: string): Version | null {
  const parts = VERSION.exec(text.trim().toLowerCase());
  if (parts === null) return null;
  const [, epoch = '0', release = '', pre, preNumber = '0', implicitPost, post, postNumber, dev, devNumber] = parts;
  const local = parts[10]?.split(/[-_.]/) ?? [];
  const isPost = implicitPost !== undefined || post !== undefined;
  // `1.0.dev1` is before all pre-releases of 1.0; `1.0.post1.dev1` is not.
  const phase = pre !== undefined ? (SPELLINGS.get(pre) ?? pre) : dev !== undefined && !isPost ? 'dev' : 'final';
  return {
    epoch,
    release: release.split('.'),
    phase: PHASES.indexOf(phase),
    phaseNumber: preNumber,
    post: isPost ? (implicitPost ?? postNumber ?? '0') : null,
    dev: dev !== undefined ? (devNumber ?? '0') : null,
    local,
  };
}

/** Numbers come after texts, unlike in SemVer. */
function compareLocal(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  const [isLeft, isRight] = [isDigits(a), isDigits(b)];
  if (isLeft !== isRight) return isLeft ? 1 : -1;
  return isLeft ? compareDigits(a, b) : compareTexts(a, b);
}

/**
 * The order of Python packages.
 *
 * @see https://packaging.python.org/en/latest/specifications/version-specifiers/
 */
export const pypi: VersionRules<Version> = { read: versionOf, compare };

function compare(left: Version, right: Version): number {
  return (
    compareDigits(left.epoch, right.epoch) ||
    compareLists(left.release, right.release, '0', compareDigits) ||
    Math.sign(left.phase - right.phase) ||
    compareDigits(left.phaseNumber, right.phaseNumber) ||
    compareOptional(left.post, right.post, -1) ||
    compareOptional(left.dev, right.dev, 1) ||
    compareLists<string | null>(left.local, right.local, null, compareLocal)
  );
}

/** @param absent the result if only `a` is missing */
function compareOptional(a: string | null, b: string | null, absent: number): number {
  if (a !== null && b !== null) return compareDigits(a, b);
  return a === b ? 0 : a === null ? absent : -absent;
}
