import { compareDigits, compareLabels, compareLists } from './order';
import type { VersionRules } from './rules';

const VERSION =
  /^([0-9]+(?:\.[0-9]+){0,3})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

interface Version {
  readonly numbers: readonly string[];
  /** Of a pre-release; null where it is none. */
  readonly labels: readonly string[] | null;
}

/**
 * The order of NuGet: SemVer 2.0.0 with up to four numbers. Missing numbers are zero, and letter case of pre-releases is ignored.
 *
 * @see https://learn.microsoft.com/en-us/nuget/concepts/package-versioning
 */
export const nuget: VersionRules<Version> = {
  read(text) {
    const match = VERSION.exec(text);
    if (match === null) return null;
    const [, numbers = '', before] = match;
    return { numbers: numbers.split('.'), labels: before?.toLowerCase().split('.') ?? null };
  },
  compare: (a, b) => compareLists(a.numbers, b.numbers, '0', compareDigits) || compareLabels(a.labels, b.labels),
};
