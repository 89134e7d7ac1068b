import { compareDigits, compareLabels, compareLists } from './order';
import type { VersionRules } from './rules';

const VERSION =
  /^v?([0-9]+(?:\.[0-9]+)*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

interface Version {
  readonly text: string;
  /** Null where no rule that all share orders it. */
  readonly parts: { readonly numbers: readonly string[]; readonly labels: readonly string[] | null } | null;
}

/**
 * The order that ecosystems share. Versions are numbers between dots, and missing numbers are zero. A hyphen starts a pre-release, which
 * comes before its release. Any other text equals only itself.
 */
export const generic: VersionRules<Version> = {
  read(text) {
    const match = VERSION.exec(text);
    if (match === null) return { text, parts: null };
    const [, numbers = '', before] = match;
    return { text, parts: { numbers: numbers.split('.'), labels: before?.split('.') ?? null } };
  },
  compare(a, b) {
    if (a.text === b.text) return 0;
    if (a.parts === null || b.parts === null) return undefined;
    return (
      compareLists(a.parts.numbers, b.parts.numbers, '0', compareDigits) ||
      compareLabels(a.parts.labels, b.parts.labels)
    );
  },
};
