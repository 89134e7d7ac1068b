import { PackageURL } from '@socketregistry/packageurl-js';

/** A package URL in its canonical form. */
export interface Purl {
  readonly text: string;
  /** Identifies the package: the text without version, qualifiers and subpath, the same for all its versions and spellings. */
  readonly package: string;
  /** For example `npm`. */
  readonly type: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly version: string | null;
  readonly qualifiers: Readonly<Record<string, string>>;
}

/** The most characters of a package URL. The limit applies to the original and to the canonical form, which may have longer escapes. */
const PURL_MAX = 2_048;
const CONTROL = /\p{Cc}/u;

/**
 * The identity of a package. NuGet ignores the case of names. PyPI takes `-`, `_` and `.` for one separator (PEP 503).
 *
 * @param text a package URL in its canonical form, without version, qualifiers and subpath
 */
export function packageIdentity(text: string): string {
  if (text.startsWith('pkg:nuget/')) return text.toLowerCase();
  return text.startsWith('pkg:pypi/') ? text.toLowerCase().replace(/[-_.]+/g, '-') : text;
}

/**
 * Reads the package URL of a component, and adds what the document says elsewhere: the version, and the source package from which a distribution built
 * it.
 *
 * @param source `name` or `name@version`
 * @returns null as `readPurl`
 */
export function completePurl(text: string, version: string | null, source?: string): Purl | null {
  const read = readPurl(text);
  if (read === null) return null;
  const isVersioned = read.version !== null || version === null || version === '';
  const hasSource = source === undefined || !SOURCES.has(read.type) || 'upstream' in read.qualifiers;
  if (isVersioned && hasSource) return read;
  try {
    const { type, namespace, name, subpath } = PackageURL.fromString(text);
    const qualifiers = hasSource ? read.qualifiers : { ...read.qualifiers, upstream: source };
    const completeUrl = new PackageURL(type, namespace, name, read.version ?? version, qualifiers, subpath);
    return readPurl(completeUrl.toString()) ?? read;
  } catch {
    return read;
  }
}

/** Types of packages that distributions build from source packages. */
const SOURCES = new Set(['deb', 'rpm', 'apk']);

/**
 * Reads a package URL by the rules of its type. The canonical form of a valid package URL is valid too.
 *
 * @returns null if the text is not a package URL, is too long, or has control characters, even as escapes
 */
export function readPurl(text: string): Purl | null {
  // The library also accepts texts without the scheme.
  if (text.length > PURL_MAX || !/^pkg:/i.test(text) || CONTROL.test(text)) return null;
  try {
    const { type, namespace, name, version, qualifiers, subpath } = PackageURL.fromString(text);
    const parts = [namespace, name, version, subpath, ...Object.values(qualifiers ?? {})];
    if (type === undefined || name === undefined || parts.some((part) => CONTROL.test(String(part ?? '')))) return null;
    const of = (own: string | undefined, more?: typeof qualifiers, below?: string) =>
      new PackageURL(type, namespace, name, own, more, below).toString();
    const canonical = of(version, qualifiers, subpath);
    // Some types need a version, so build the text with it and cut it off. Inside a version, the separator is escaped.
    const withVersion = of(version);
    if (canonical.length > PURL_MAX) return null;
    return {
      text: canonical,
      package: packageIdentity(
        version === undefined ? withVersion : withVersion.slice(0, withVersion.lastIndexOf('@')),
      ),
      type,
      namespace: namespace ?? null,
      name,
      version: version ?? null,
      qualifiers: Object.fromEntries(
        Object.entries(qualifiers ?? {}).map(([key, value]) => [key, String(value ?? '')]),
      ),
    };
  } catch {
    return null;
  }
}
