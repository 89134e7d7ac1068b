import { compareVersions } from '@assurance/components/domain/versions/compare';
import { ecosystemOf } from '@assurance/components/domain/versions/ecosystem';
import type {
  AffectedRange,
  ListedPackage,
  ListedVulnerability,
  RangeEvent,
} from '@assurance/contracts/vulnerabilities/events';
import { readPurl } from '@assurance/evidence/domain/purl';
import { canonicalName, packageName, type PackageUrl } from './package-url';
import { distributionOf } from './osv-ecosystems';

/** Whether a component has a vulnerability; unknown where its version or its package do not decide it. */
export type Affects = 'yes' | 'no' | 'unknown';

type Compare = (a: string, b: string) => number | undefined;

/** Yes where one says yes, else unknown where one is unknown. */
function anyOf(answers: readonly Affects[]): Affects {
  return answers.includes('yes') ? 'yes' : answers.includes('unknown') ? 'unknown' : 'no';
}

/** Tells packages from others, whatever their versions: a type, and a name in its canonical form. */
function packageKey(type: string, name: string): string {
  return `${type} ${canonicalName(type, name)}`;
}

/** The keys of a package of an entry. A component is of the same package only if it has one of them too. */
export function keysOfPackage({ type, name, purl }: ListedPackage): readonly string[] {
  return [...new Set(affectedNames({ type, name, purl }).map((one) => packageKey(type, one)))];
}

/** The keys of a component. */
export function keysOfComponent(component: PackageUrl): readonly string[] {
  return [...new Set(namesOf(component).map((name) => packageKey(component.type, name)))];
}

function affectedNames({ type, name, purl }: Pick<ListedPackage, 'type' | 'name' | 'purl'>): readonly string[] {
  const read = purl === null ? null : readPurl(purl);
  return [name, ...(read !== null && read.type === type ? [packageName(read)] : [])];
}

/** The names by which databases may know a component: distributions name the source package. */
function namesOf(component: PackageUrl): readonly string[] {
  const { upstream, source } = component.qualifiers ?? {};
  const sources = [upstream, source].flatMap((name) => name?.split('@', 1) ?? []);
  return [packageName(component), ...sources].map((name) => canonicalName(component.type, name));
}

function isSamePackage(affected: ListedPackage, component: PackageUrl): boolean {
  if (affected.type !== component.type) return false;
  const { distribution } = affected;
  if (distribution !== null && component.namespace && distributionOf(component.namespace) !== distribution)
    return false;
  const own = namesOf(component);
  return affectedNames(affected).some((name) => own.includes(canonicalName(affected.type, name)));
}

/** Whether a component is of the release of a distribution that an entry is about; `distro` is as scanners write it: `debian-11.6`. */
function isOfRelease({ release }: ListedPackage, component: PackageUrl): Affects {
  if (release === null) return 'yes';
  const own = /[0-9]+(?:\.[0-9]+)*/.exec(component.qualifiers?.distro ?? '')?.[0];
  if (own === undefined) return 'unknown';
  return own === release || own.startsWith(`${release}.`) ? 'yes' : 'no';
}

/** The order of a version and that of an event; `0` is before all versions. */
function orderOf(version: string, event: RangeEvent, compare: Compare): number | undefined {
  return event.kind === 'introduced' && event.version === '0' ? 1 : compare(version, event.version);
}

function sorted(events: readonly RangeEvent[], compare: Compare): readonly RangeEvent[] | null {
  let isComparable = true;
  const ordered = events.toSorted((a, b) => {
    const [isLeft, isRight] = [a, b].map(({ kind, version }) => kind === 'introduced' && version === '0');
    if (isLeft || isRight) return Number(isRight) - Number(isLeft);
    const order = compare(a.version, b.version);
    isComparable &&= order !== undefined;
    return order ?? 0;
  });
  return isComparable ? ordered : null;
}

function isBeforeLimits(version: string, events: readonly RangeEvent[], compare: Compare): Affects {
  const limits = events.filter(({ kind }) => kind === 'limit');
  if (limits.length === 0) return 'yes';
  return anyOf(
    limits.map((limit) => {
      const order = limit.version === '*' ? -1 : compare(version, limit.version);
      return order === undefined ? 'unknown' : order < 0 ? 'yes' : 'no';
    }),
  );
}

function isInRange(version: string, { events }: AffectedRange, compare: Compare): Affects {
  const isBefore = isBeforeLimits(version, events, compare);
  if (isBefore === 'no') return 'no';
  const ordered = sorted(
    events.filter(({ kind }) => kind !== 'limit'),
    compare,
  );
  if (ordered === null) return 'unknown';
  let isVulnerable = false;
  for (const event of ordered) {
    const order = orderOf(version, event, compare);
    if (order === undefined) return 'unknown';
    if (event.kind === 'introduced' && order >= 0) isVulnerable = true;
    else if (event.kind === 'fixed' && order >= 0) isVulnerable = false;
    else if (event.kind === 'last_affected' && order > 0) isVulnerable = false;
  }
  return isVulnerable ? isBefore : 'no';
}

function affectsVersion({ type, ranges, versions }: ListedPackage, version: string): Affects {
  const ecosystem = ecosystemOf(type);
  if (versions.includes(version)) return 'yes';
  if (versions.some((text) => compareVersions(ecosystem, text, version) === 0)) return 'yes';
  // Ranges of commits repeat what other ranges and versions state. Alone they cannot be compared with a version.
  const comparable = ranges.filter(({ type }) => type !== 'GIT');
  if (comparable.length === 0) return versions.length > 0 ? 'no' : 'unknown';
  return anyOf(
    comparable.map((range) => {
      const rules = range.type === 'SEMVER' ? 'npm' : ecosystem;
      return isInRange(version, range, (a, b) => compareVersions(rules, a, b));
    }),
  );
}

/**
 * Whether a component has a vulnerability, by the evaluation of OSV. What was withdrawn affects nothing.
 *
 * @see https://ossf.github.io/osv-schema/#evaluation
 * @param component its `upstream` qualifier names the source package of a distribution, `distro` the release
 */
export function affects(
  vulnerability: Pick<ListedVulnerability, 'withdrawn' | 'affected'>,
  component: PackageUrl,
): Affects {
  if (vulnerability.withdrawn !== null) return 'no';
  return anyOf(
    vulnerability.affected
      .filter((affected) => isSamePackage(affected, component))
      .map((affected) => {
        const release = isOfRelease(affected, component);
        const version = component.version ? affectsVersion(affected, component.version) : 'unknown';
        return release === 'no' || version === 'no' ? 'no' : release === 'unknown' ? 'unknown' : version;
      }),
  );
}
