import { canonicalName, packageName, type PackageUrl } from './package-url';

/** A name under which databases may list a component, and the version that they compare under this name. */
export interface ComparedPackage {
  /** In its canonical form. */
  readonly name: string;
  readonly version: string | null;
}

/** Go's standard library: each tool that writes SBOMs has a name of its own for it. */
const GO_STANDARD_LIBRARY = new Set(['std', 'stdlib']);
/** A version of Go, such as `go1.20.1` and `go1.21rc2`. */
const GO_VERSION = /^go([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:(rc|beta)([0-9]+))?$/;
/** The platform for which a gem was built, which Bundler appends to its version. */
const GEM_PLATFORM =
  /-(?:java|jruby|ruby|mswin|mingw|mswin32|mswin64|mingw32|x64-mingw|x86-mingw|(?:x86_64|x86|x64|i[3-6]86|aarch64|arm64|arm|armv[67]l?|universal|ppc64le|s390x)-[A-Za-z0-9_.-]{1,40})$/;
const SOURCE_RPM = '.src.rpm';

/**
 * The names under which databases may list a component: its own, and those of the source package from which a distribution built it. A source package
 * has its own version, which the `upstream` qualifier names where it differs. Databases of Debian and Alpine list source packages, so under one name
 * the version of the source counts.
 */
export function comparedPackages(component: PackageUrl): readonly ComparedPackage[] {
  const { type, qualifiers = {} } = component;
  const own = { name: ownName(component), version: ownVersion(component) };
  const sources = [qualifiers['upstream'], qualifiers['source']].flatMap((text) =>
    text === undefined || text === '' ? [] : sourceOf(text, own.version, qualifiers['epoch']),
  );
  const isBySource = type === 'deb' || type === 'apk';
  const byName = new Map<string, ComparedPackage>();
  for (const { name, version } of isBySource ? [own, ...sources] : [...sources, own]) {
    const canonical = canonicalName(type, name);
    byName.set(canonical, { name: canonical, version });
  }
  return [...byName.values()];
}

function ownName(component: PackageUrl): string {
  const name = packageName(component);
  return component.type === 'golang' && GO_STANDARD_LIBRARY.has(name) ? 'stdlib' : name;
}

/** The version as databases of the ecosystem write it. */
function ownVersion({ type, name, namespace, version, qualifiers }: PackageUrl): string | null {
  if (version === null) return null;
  if (type === 'rpm') return withEpoch(version, qualifiers['epoch']);
  if (type === 'gem') return version.replace(GEM_PLATFORM, '');
  return type === 'golang' && !namespace && GO_STANDARD_LIBRARY.has(name) ? goVersion(version) : version;
}

/** Go's versions as SemVer: `go1.21rc2` is `1.21.0-rc.2`. */
function goVersion(version: string): string {
  const match = GO_VERSION.exec(version);
  if (match === null) return version;
  const [, major, minor = '0', patch = '0', word, number] = match;
  return `${major}.${minor}.${patch}${word === undefined ? '' : `-${word}.${number}`}`;
}

/** An RPM has its epoch in a qualifier; databases write it before the version. */
function withEpoch(version: string, epoch: string | undefined): string {
  return epoch === undefined || version.includes(':') ? version : `${epoch}:${version}`;
}

/**
 * The source package that a qualifier names: `name`, `name@version`, or the file `name-version-release.src.rpm`, whose epoch is that of the package.
 *
 * @param version of the package that was built from it; the source has the same where the qualifier names none
 */
function sourceOf(text: string, version: string | null, epoch: string | undefined): ComparedPackage {
  if (text.endsWith(SOURCE_RPM)) {
    const file = text.slice(0, -SOURCE_RPM.length);
    const release = file.lastIndexOf('-');
    const start = file.lastIndexOf('-', release - 1);
    if (start > 0) return { name: file.slice(0, start), version: withEpoch(file.slice(start + 1), epoch) };
  }
  const at = text.indexOf('@', 1);
  return at < 0 ? { name: text, version } : { name: text.slice(0, at), version: text.slice(at + 1) || version };
}
