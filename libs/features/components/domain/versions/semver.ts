import { compare, parse, type SemVer } from 'semver';
import type { VersionRules } from './rules';

/** Major, minor and patch; where minor or patch are missing they are zero, as Go's modules and the ranges of advisories write them. */
function withMissingParts(version: string): string {
  const end = version.search(/[-+]/);
  const core = end < 0 ? version : version.slice(0, end);
  const parts = core.split('.').length;
  return parts < 3 ? core + '.0'.repeat(3 - parts) + version.slice(core.length) : version;
}

/**
 * The order of npm, Cargo and Go modules: SemVer 2.0.0. Build metadata is ignored, including `+incompatible` of Go. Pseudo-versions of Go
 * are pre-releases.
 *
 * @see https://semver.org/spec/v2.0.0.html section 11, https://go.dev/ref/mod#versions
 */
export const semver: VersionRules<SemVer> = { read: (text) => parse(withMissingParts(text)), compare };
