interface OsvEcosystem {
  readonly type: string;
  readonly distribution?: string;
}

/** The package URL type and distribution of each OSV ecosystem. */
const NAMES: Readonly<Record<string, OsvEcosystem>> = {
  npm: { type: 'npm' },
  Maven: { type: 'maven' },
  PyPI: { type: 'pypi' },
  Go: { type: 'golang' },
  RubyGems: { type: 'gem' },
  NuGet: { type: 'nuget' },
  'crates.io': { type: 'cargo' },
  Packagist: { type: 'composer' },
  Debian: { type: 'deb', distribution: 'debian' },
  Ubuntu: { type: 'deb', distribution: 'ubuntu' },
  Echo: { type: 'deb', distribution: 'echo' },
  Alpine: { type: 'apk', distribution: 'alpine' },
  Wolfi: { type: 'apk', distribution: 'wolfi' },
  Chainguard: { type: 'apk', distribution: 'chainguard' },
  MinimOS: { type: 'apk', distribution: 'minimos' },
  'Red Hat': { type: 'rpm', distribution: 'redhat' },
  'Rocky Linux': { type: 'rpm', distribution: 'rocky-linux' },
  AlmaLinux: { type: 'rpm', distribution: 'almalinux' },
  openSUSE: { type: 'rpm', distribution: 'opensuse' },
  SUSE: { type: 'rpm', distribution: 'suse' },
  openEuler: { type: 'rpm', distribution: 'openeuler' },
  Mageia: { type: 'rpm', distribution: 'mageia' },
  'Photon OS': { type: 'rpm', distribution: 'photon' },
  Bitnami: { type: 'bitnami' },
  Hex: { type: 'hex' },
  Pub: { type: 'pub' },
  SwiftURL: { type: 'swift' },
  ConanCenter: { type: 'conan' },
  Hackage: { type: 'hackage' },
  CRAN: { type: 'cran' },
  'GitHub Actions': { type: 'githubactions' },
};

/** Other spellings of distributions in package URL namespaces. */
const SPELLINGS = new Map([
  ['rhel', 'redhat'],
  ['rocky', 'rocky-linux'],
  ['rockylinux', 'rocky-linux'],
  ['alma', 'almalinux'],
]);

/** Returns one name for a distribution, for all spellings in package URLs. */
export function distributionOf(namespace: string): string {
  const name = namespace.toLowerCase();
  return SPELLINGS.get(name) ?? name;
}

/**
 * Translates an OSV ecosystem to package URL terms: `Debian:11` has the type `deb`, the distribution `debian` and the release `11`.
 *
 * @see https://ossf.github.io/osv-schema/#affectedpackage-field
 */
export function readOsvEcosystem(ecosystem: string) {
  const colon = ecosystem.indexOf(':');
  const name = colon < 0 ? ecosystem : ecosystem.slice(0, colon);
  const suffix = colon < 0 ? null : ecosystem.slice(colon + 1);
  const { type, distribution = null } = Object.hasOwn(NAMES, name) ? (NAMES[name] ?? { type: name }) : { type: name };
  const release = distribution === null || suffix === null ? null : (/[0-9]+(?:\.[0-9]+)*/.exec(suffix)?.[0] ?? suffix);
  return { type: type.toLowerCase(), distribution, release };
}
