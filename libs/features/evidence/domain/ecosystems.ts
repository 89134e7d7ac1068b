/** The package URLs of an ecosystem of OSV. */
interface Ecosystem {
  readonly type: string;
  /** Other types of package URLs that tools write for it. */
  readonly types?: readonly string[];
  /** Only of a distribution: its name here, which is also a namespace of package URLs. */
  readonly distribution?: string;
  /** Other namespaces that tools write for the distribution. */
  readonly namespaces?: readonly string[];
  /** Releases by their code names. */
  readonly codenames?: Readonly<Record<string, string>>;
}

const DEBIAN = { buzz: '1.1', rex: '1.2', bo: '1.3', hamm: '2.0', slink: '2.1', potato: '2.2', woody: '3.0' };
const DEBIAN_NEWER = { sarge: '3.1', etch: '4.0', lenny: '5', squeeze: '6', wheezy: '7', jessie: '8', stretch: '9' };
const DEBIAN_NEWEST = { buster: '10', bullseye: '11', bookworm: '12', trixie: '13', forky: '14', duke: '15' };
const UBUNTU = { precise: '12.04', trusty: '14.04', xenial: '16.04', bionic: '18.04', focal: '20.04', jammy: '22.04' };
const UBUNTU_NEWER = { mantic: '23.10', noble: '24.04', oracular: '24.10', plucky: '25.04', questing: '25.10' };
const SLE = ['sles', 'sled', 'sle', 'sle_hpc', 'sle-hpc', 'sles_sap', 'slem', 'slem-micro', 'sle-micro', 'sl-micro'];
const SUSE = [...SLE, 'suse-micro', 'suse linux enterprise server', 'suse linux enterprise micro'];
const LEAP = ['opensuse-leap', 'opensuse.leap', 'opensuse-leap-micro', 'opensuse-micro'];
const OPENSUSE = [...LEAP, 'opensuse-tumbleweed', 'opensuse.tumbleweed', 'opensuse-microos', 'opensuse-slowroll'];

/**
 * The ecosystems of OSV whose entries are compared with components, by the package URLs that syft, Trivy, cdxgen and the tools of CycloneDX write.
 *
 * @see https://ossf.github.io/osv-schema/#defined-ecosystems
 */
const ECOSYSTEMS: Readonly<Record<string, Ecosystem>> = {
  npm: { type: 'npm' },
  Maven: { type: 'maven' },
  PyPI: { type: 'pypi' },
  Go: { type: 'golang' },
  RubyGems: { type: 'gem' },
  NuGet: { type: 'nuget' },
  'crates.io': { type: 'cargo' },
  Packagist: { type: 'composer' },
  Bitnami: { type: 'bitnami' },
  Hex: { type: 'hex' },
  Pub: { type: 'pub' },
  SwiftURL: { type: 'swift' },
  ConanCenter: { type: 'conan' },
  Hackage: { type: 'hackage' },
  CRAN: { type: 'cran' },
  Bioconductor: { type: 'bioconductor' },
  Julia: { type: 'julia' },
  opam: { type: 'opam' },
  VSCode: { type: 'vscode-extension', types: ['vscode'] },
  'GitHub Actions': { type: 'githubactions', types: ['github'] },
  Debian: {
    type: 'deb',
    distribution: 'debian',
    codenames: { ...DEBIAN, ...DEBIAN_NEWER, ...DEBIAN_NEWEST },
  },
  Ubuntu: { type: 'deb', distribution: 'ubuntu', codenames: { ...UBUNTU, ...UBUNTU_NEWER } },
  Echo: { type: 'deb', distribution: 'echo' },
  Alpine: { type: 'apk', distribution: 'alpine' },
  Alpaquita: { type: 'apk', distribution: 'alpaquita' },
  'BellSoft Hardened Containers': { type: 'apk', distribution: 'bellsoft-hardened-containers' },
  Wolfi: { type: 'apk', distribution: 'wolfi' },
  Chainguard: { type: 'apk', distribution: 'chainguard' },
  MinimOS: { type: 'apk', distribution: 'minimos' },
  'Red Hat': { type: 'rpm', distribution: 'redhat', namespaces: ['rhel', 'red hat'] },
  'Rocky Linux': { type: 'rpm', distribution: 'rocky-linux', namespaces: ['rocky', 'rockylinux'] },
  AlmaLinux: { type: 'rpm', distribution: 'almalinux', namespaces: ['alma'] },
  'Azure Linux': { type: 'rpm', distribution: 'azurelinux', namespaces: ['azure', 'mariner', 'cbl-mariner'] },
  openSUSE: { type: 'rpm', distribution: 'opensuse', namespaces: OPENSUSE },
  SUSE: { type: 'rpm', distribution: 'suse', namespaces: SUSE },
  openEuler: { type: 'rpm', distribution: 'openeuler' },
  Mageia: { type: 'rpm', distribution: 'mageia' },
  'Photon OS': { type: 'rpm', distribution: 'photon', namespaces: ['photon os'] },
};

const ALL = Object.values(ECOSYSTEMS);
const TYPES = new Map(ALL.flatMap(({ type, types = [] }) => [type, ...types].map((one) => [one, type])));
const DISTRIBUTIONS = new Map(
  ALL.flatMap(({ distribution, namespaces = [] }) =>
    distribution === undefined ? [] : [distribution, ...namespaces].map((name) => [name, distribution] as const),
  ),
);
const CODENAMES = new Map(ALL.flatMap(({ codenames = {} }) => Object.entries(codenames)));
/** Types of packages of distributions. */
const OF_DISTRIBUTIONS = new Set(['deb', 'apk', 'rpm']);

/** Returns one name for a distribution, for all spellings in package URLs. */
export function distributionOf(namespace: string): string {
  const name = namespace.toLowerCase();
  return DISTRIBUTIONS.get(name) ?? name;
}

/** Returns one type for an ecosystem, for all types of package URLs that tools write for it. */
export function ecosystemType(type: string): string {
  return TYPES.get(type) ?? type;
}

/** Whether any database lists packages of this type, and of this distribution. */
export function isComparable({
  type,
  namespace,
}: {
  readonly type: string;
  readonly namespace: string | null;
}): boolean {
  if (!OF_DISTRIBUTIONS.has(type)) return TYPES.has(type);
  return namespace === null || DISTRIBUTIONS.has(namespace.toLowerCase());
}

/**
 * The release in the text of a distribution: `11.6` of `debian-11.6`, `12` of `bookworm`, `15.5` of `Linux Enterprise Server 15 SP5`, `22.03.3` of
 * `22.03-LTS-SP3`.
 *
 * @returns null if the text names none
 */
function releaseIn(text: string): string | null {
  const lower = text.toLowerCase();
  if (lower.includes('tumbleweed')) return 'tumbleweed';
  const number = /[0-9]+(?:\.[0-9]+)*/.exec(lower)?.[0];
  if (number === undefined) return lower.split(/[^a-z]+/).flatMap((word) => CODENAMES.get(word) ?? [])[0] ?? null;
  const pack = /[ -]sp([0-9]+)/.exec(lower)?.[1];
  return pack === undefined ? number : `${number}.${pack}`;
}

/** The release of an ecosystem. Products of Red Hat for several releases name theirs at the end: `openshift:4.12::el8`. */
function releaseOf(suffix: string, distribution: string): string {
  const ofRedHat = distribution === 'redhat' ? /::el([0-9]+)$/.exec(suffix)?.[1] : undefined;
  return withServicePack(ofRedHat ?? releaseIn(suffix) ?? suffix, distribution);
}

/** The first release of a product of SUSE has no service pack. It is no other name of the later ones. */
function withServicePack(release: string, distribution: string): string {
  return distribution === 'suse' && /^[0-9]+$/.test(release) ? `${release}.0` : release;
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
  const row = Object.hasOwn(ECOSYSTEMS, name) ? ECOSYSTEMS[name] : undefined;
  const { type, distribution = null } = row ?? { type: name };
  const release = distribution === null || suffix === null ? null : releaseOf(suffix, distribution);
  return { name, isKnown: row !== undefined, type: type.toLowerCase(), distribution, release };
}

/**
 * The release of a distribution to which a component belongs, from the qualifiers of its package URL.
 *
 * @param distro such as `debian-11.6`
 * @param distroName a code name, which cdxgen writes
 */
export function componentRelease(distribution: string, distro: string, distroName: string): string | null {
  const release = releaseIn(distro) ?? releaseIn(distroName);
  return release === null ? null : withServicePack(release, distribution);
}
