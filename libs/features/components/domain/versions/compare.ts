import { apk } from './apk';
import { bitnami } from './bitnami';
import { composer } from './composer';
import { cran } from './cran';
import { debian } from './debian';
import type { Ecosystem } from './ecosystem';
import { generic } from './generic';
import { maven } from './maven';
import { nuget } from './nuget';
import { pypi } from './pypi';
import { rpm } from './rpm';
import { rubygems } from './rubygems';
import type { VersionRules } from './rules';
import { semver } from './semver';

/** The longest version that is compared (UTF-16 units). */
const VERSION_LENGTH = 256;

const RULES: Readonly<Record<Ecosystem, VersionRules<object>>> = {
  npm: semver,
  maven,
  pypi,
  golang: semver,
  deb: debian,
  rpm,
  apk,
  gem: rubygems,
  nuget,
  cargo: semver,
  composer,
  cran,
  bitnami,
  generic,
};

/** A text that was parsed by the rules of an ecosystem; null if it is not a version there. */
export type ReadVersion = object | null;

/** Parses a version once, so that it can be compared with many. A text that is empty or longer than 256 characters is not a version. */
export function readVersion(ecosystem: Ecosystem, text: string): ReadVersion {
  return text === '' || text.length > VERSION_LENGTH ? null : RULES[ecosystem].read(text);
}

/** The same as `compareVersions`, for parsed versions of this ecosystem. */
export function compareRead(ecosystem: Ecosystem, a: ReadVersion, b: ReadVersion): number | undefined {
  return a === null || b === null ? undefined : RULES[ecosystem].compare(a, b);
}

/**
 * The order of two versions by the rules of their ecosystem: negative where `a` is older, zero where both count the same, positive where `a` is newer.
 *
 * @returns undefined if the rules give no order: one of them is not a version of this ecosystem, is empty, or is longer than 256 characters
 */
export function compareVersions(ecosystem: Ecosystem, a: string, b: string): number | undefined {
  return compareRead(ecosystem, readVersion(ecosystem, a), readVersion(ecosystem, b));
}
