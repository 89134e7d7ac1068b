import { PackageURL } from '@socketregistry/packageurl-js';

/** A package URL in its canonical form. */
export interface Purl {
  readonly text: string;
  /** Without version, qualifiers and subpath: what all versions of the package share. */
  readonly package: string;
  /** Such as `npm`. */
  readonly type: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly version: string | null;
  readonly qualifiers: Readonly<Record<string, string>>;
}

/** The most characters of a package URL, as it is written and in its canonical form, where escapes may be longer. */
const PURL_MAX = 2_048;
const CONTROL = /\p{Cc}/u;

/**
 * Reads a package URL, by the rules of its type.
 *
 * @returns null for a text that is none, that is too long, or that has control characters, escaped ones too. The canonical form of any other is read too
 */
export function readPurl(text: string): Purl | null {
  // The library takes texts without the scheme too.
  if (text.length > PURL_MAX || !/^pkg:/i.test(text) || CONTROL.test(text)) return null;
  try {
    const { type, namespace, name, version, qualifiers, subpath } = PackageURL.fromString(text);
    const parts = [namespace, name, version, subpath, ...Object.values(qualifiers ?? {})];
    if (type === undefined || name === undefined || parts.some((part) => CONTROL.test(String(part ?? '')))) return null;
    const of = (own: string | undefined, more?: typeof qualifiers, below?: string) =>
      new PackageURL(type, namespace, name, own, more, below).toString();
    const canonical = of(version, qualifiers, subpath);
    // Some types have no package URL without a version, so it is cut off: in a version, the separator is escaped.
    const withVersion = of(version);
    if (canonical.length > PURL_MAX) return null;
    return {
      text: canonical,
      package: version === undefined ? withVersion : withVersion.slice(0, withVersion.lastIndexOf('@')),
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
