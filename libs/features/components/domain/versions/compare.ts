import { compareApk } from './apk';
import { compareComposer } from './composer';
import { compareDebian } from './debian';
import type { Ecosystem } from './ecosystem';
import { compareGeneric } from './generic';
import { compareMaven } from './maven';
import { compareNuget } from './nuget';
import { comparePypi } from './pypi';
import { compareRpm } from './rpm';
import { compareRubygems } from './rubygems';
import { compareSemver } from './semver';

/** The longest version that is compared (UTF-16 units). */
const VERSION_LENGTH = 256;

const RULES: Readonly<Record<Ecosystem, (a: string, b: string) => number | undefined>> = {
  npm: compareSemver,
  maven: compareMaven,
  pypi: comparePypi,
  golang: compareSemver,
  deb: compareDebian,
  rpm: compareRpm,
  apk: compareApk,
  gem: compareRubygems,
  nuget: compareNuget,
  cargo: compareSemver,
  composer: compareComposer,
  generic: compareGeneric,
};

/**
 * The order of two versions by the rules of their ecosystem: negative where `a` is older, zero where both count the same, positive where `a` is newer.
 *
 * @returns undefined where the rules give no order: one of them is no version there, is empty, or is longer than 256 characters
 */
export function compareVersions(ecosystem: Ecosystem, a: string, b: string): number | undefined {
  if (!isComparable(a) || !isComparable(b)) return undefined;
  return RULES[ecosystem](a, b);
}

function isComparable(version: string): boolean {
  return version !== '' && version.length <= VERSION_LENGTH;
}
