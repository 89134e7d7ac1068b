import type { ListedPackage, ListedVulnerability } from '@assurance/contracts/vulnerabilities/events';
import { groupBy } from '@assurance/kernel';
import { componentRelease, distributionOf, ecosystemType } from '@assurance/evidence/domain/ecosystems';
import { readPurl } from '@assurance/evidence/domain/purl';
import { affectedVersions, type Affects, anyOf } from './affected-versions';
import { comparedPackages } from './compared-packages';
import { canonicalName, packageName, type PackageUrl } from './package-url';

/** Identifies a package without its version: the type, and the name in its canonical form. */
function packageKey(type: string, name: string): string {
  return `${type} ${canonicalName(type, name)}`;
}

/** Returns the keys of a package of an entry. A component can be of the same package only if it shares a key. */
export function keysOfPackage({ type, name, purl }: ListedPackage): readonly string[] {
  return [...new Set(affectedNames({ type, name, purl }).map((one) => packageKey(type, one)))];
}

/** Returns the keys of a component. */
export function keysOfComponent(component: PackageUrl): readonly string[] {
  const type = ecosystemType(component.type);
  return [...new Set(comparedPackages(component).map(({ name }) => packageKey(type, name)))];
}

function affectedNames({ type, name, purl }: Pick<ListedPackage, 'type' | 'name' | 'purl'>): readonly string[] {
  const read = purl === null ? null : readPurl(purl);
  return [name, ...(read !== null && ecosystemType(read.type) === type ? [packageName(read)] : [])];
}

/** Canonical names of a package. */
type Names = ReadonlySet<string>;

/** Whether a component may be of an entry's ecosystem and distribution. */
function isOfEcosystem({ type, distribution }: ListedPackage, component: PackageUrl): boolean {
  if (type !== ecosystemType(component.type)) return false;
  return distribution === null || !component.namespace || distributionOf(component.namespace) === distribution;
}

/** Whether a component belongs to the distribution release of an entry. Tools write `distro` as `debian-11.6`. */
function isOfRelease({ release, distribution }: ListedPackage, { qualifiers = {} }: PackageUrl): Affects {
  if (release === null) return 'yes';
  const own = componentRelease(distribution ?? '', qualifiers['distro'] ?? '', qualifiers['distro_name'] ?? '');
  if (own === null) return 'unknown';
  if (own === release || own.startsWith(`${release}.`)) return 'yes';
  // The package URL does not tell the service packs of openEuler.
  return distribution === 'openeuler' && release.startsWith(`${own}.`) ? 'unknown' : 'no';
}

/** Whether a component has a vulnerability. */
type HasVulnerability = (component: PackageUrl) => Promise<Affects>;

/** Items of an entry about one package in one release. They are evaluated together. */
interface AffectedTogether {
  readonly affected: ListedPackage;
  readonly names: Names;
  readonly has: (version: string) => Affects;
}

/** Merges items that name the same package in the same way. */
function mergePackages(all: readonly ListedPackage[]): readonly ListedPackage[] {
  const identity = (affected: ListedPackage) => {
    const { distribution, release, versions, ranges } = affected;
    // An item that has only commits decides nothing, so it is not merged with items that have versions.
    const decides = versions.length > 0 || ranges.some(({ type }) => type !== 'GIT');
    return JSON.stringify([decides, distribution, release, ...keysOfPackage(affected)]);
  };
  return [...groupBy(all, identity).values()].map(([first, ...others]) => {
    if (others.length === 0) return first;
    const items = [first, ...others];
    return {
      ...first,
      versions: items.flatMap(({ versions }) => versions),
      ranges: items.flatMap(({ ranges }) => ranges),
    };
  });
}

/**
 * Finds whether components have a vulnerability, by the evaluation of OSV. It prepares the vulnerability once for many components. A withdrawn
 * vulnerability affects nothing.
 *
 * @see https://ossf.github.io/osv-schema/#evaluation
 * @param pause lets other work use the thread
 * @returns a function of components: their `upstream` qualifier names the source package of a distribution, and `distro` the release
 */
export async function affectedComponents(
  vulnerability: Pick<ListedVulnerability, 'withdrawn' | 'affected'>,
  pause: () => Promise<void>,
): Promise<HasVulnerability> {
  if (vulnerability.withdrawn !== null) return () => Promise.resolve('no');
  const packages: AffectedTogether[] = [];
  for (const listedPackage of mergePackages(vulnerability.affected)) {
    const names = new Set(affectedNames(listedPackage).map((name) => canonicalName(listedPackage.type, name)));
    packages.push({ affected: listedPackage, names, has: await affectedVersions(listedPackage, pause) });
  }
  return async (component) => {
    const own = comparedPackages(component);
    const answers: Affects[] = [];
    for (const { affected, names, has } of packages) {
      if (!isOfEcosystem(affected, component)) continue;
      const named = own.filter(({ name }) => names.has(name));
      const release = isOfRelease(affected, component);
      if (named.length === 0 || release === 'no') continue;
      await pause();
      const version = anyOf(named.map((one) => (one.version ? has(one.version) : 'unknown')));
      answers.push(version !== 'no' && release === 'unknown' ? 'unknown' : version);
    }
    return anyOf(answers);
  };
}
