import { generic } from './generic';
import { compareDigits } from './order';
import type { VersionRules } from './rules';

/** A base, and the revision in which Bitnami packaged it. */
const REVISED = /^(.*[^-])-([0-9]+)$/s;

interface Version {
  readonly base: NonNullable<ReturnType<typeof generic.read>>;
  /** Empty for none, which comes first. */
  readonly revision: string;
}

/**
 * The order of Bitnami: the base by the rules that all share, then the revision, which is a number after a hyphen. Other words after a hyphen make a
 * pre-release.
 *
 * @see https://github.com/bitnami/go-version
 */
export const bitnami: VersionRules<Version> = {
  read(text) {
    const [, base = text, revision = ''] = REVISED.exec(text) ?? [];
    const read = generic.read(base);
    return read === null ? null : { base: read, revision };
  },
  compare(a, b) {
    const order = generic.compare(a.base, b.base);
    if (order !== 0) return order;
    return Number(a.revision !== '') - Number(b.revision !== '') || compareDigits(a.revision, b.revision);
  },
};
