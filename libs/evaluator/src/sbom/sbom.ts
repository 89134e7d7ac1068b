import { readPurl } from '@assurance/evidence/domain/purl';

/** A package that a bill of materials lists. */
export interface SbomComponent {
  /** The id of the package within the document; null if it has none. */
  readonly id: string | null;
  readonly name: string;
  readonly version: string | null;
  /** Package URL. */
  readonly purl: string | null;
  /** 64 hexadecimal digits. */
  readonly sha256: string | null;
  /** Identifiers, names or expressions; missing if the document names none. */
  readonly licences?: readonly string[];
  /** The source package from which a distribution built it, as `name@version`; missing if the document names none. */
  readonly source?: string;
  /** True for files, containers, operating systems and the like, which no database of vulnerabilities lists; missing for packages. */
  readonly isOther?: true;
}

/** The package that a bill of materials describes. */
export type SbomSubject = Omit<SbomComponent, 'id' | 'licences' | 'source' | 'isOther'>;

/** A software bill of materials. */
export interface Sbom {
  /** Name and version, such as `cyclonedx-1.6` or `spdx-2.3`. */
  readonly format: string;
  /** The text from the document. */
  readonly createdAt: string | null;
  /** Names and versions of the tools that made the document; null if it names none. */
  readonly tools: readonly string[] | null;
  readonly subject: SbomSubject | null;
  /** The serial number of CycloneDX, to which BOM-Links refer; missing if the document has none. */
  readonly serial?: string;
  /** Every package that the document lists, in its order. Nested packages come before the package that contains them. */
  readonly components: readonly SbomComponent[];
  /** How many packages could not be read, and the reasons for the first. */
  readonly unread: number;
  readonly problems: readonly string[];
}

/** How many reasons for unread packages are kept. */
const PROBLEMS_MAX = 10;
/** How many packages a document may have. */
export const COMPONENTS_MAX = 300_000;
/** The deepest nesting of a document. */
export const DEPTH_MAX = 200;
/** Longer texts of a document are cut (characters). */
export const TEXT_MAX = 2_048;
/** How many tools and described packages are kept at most. */
export const NAMED_MAX = 100;
/** How many licences of a package are kept at most. */
export const LICENCES_MAX = 20;

/** A document that cannot be read, with the reason. */
export class UnreadableDocument extends Error {}

/** Collects the packages of a document. */
export class Components {
  readonly all: SbomComponent[] = [];
  /** The reasons why packages could not be read: the first ones, and how many there are. */
  readonly problems: string[] = [];
  unread = 0;

  /**
   * Adds a package. One without a name has that of its package URL, or is counted as unread.
   *
   * @throws UnreadableDocument if there are too many packages
   */
  add(component: Omit<SbomComponent, 'name'> & { readonly name: string | null }): void {
    const name = component.name || (component.purl === null ? '' : (readPurl(component.purl)?.name ?? ''));
    if (name === '') {
      this.unread += 1;
      const place = this.all.length + this.unread;
      if (this.problems.length < PROBLEMS_MAX) this.problems.push(`package ${place} has no name`);
      return;
    }
    if (this.all.length >= COMPONENTS_MAX) {
      throw new UnreadableDocument(
        `it lists more than ${COMPONENTS_MAX} packages, which is the limit. Divide it between attestations`,
      );
    }
    this.all.push({ ...component, name });
  }

  /**
   * What a document lists.
   *
   * @param subject the package that the document describes: it is the artifact, and no package in it
   */
  listed(subject?: SbomComponent): Pick<Sbom, 'components' | 'unread' | 'problems'> {
    const { all, unread, problems } = this;
    const components =
      subject === undefined ? all : all.map((one) => (one === subject ? { ...one, isOther: true as const } : one));
    return { components, unread, problems };
  }
}

/** The kinds of components of CycloneDX, and of packages of SPDX, that databases of vulnerabilities list. */
const PACKAGES = new Set(['library', 'framework', 'application', 'platform']);

/** @param kind in any letter case; null if the document does not say it */
export function otherThanPackage(kind: string | null): Pick<SbomComponent, 'isOther'> {
  return kind === null || PACKAGES.has(kind.toLowerCase()) ? {} : { isOther: true };
}

/** The source package, by its name and the parts of its version. */
function sourceOf(
  parts: Readonly<Partial<Record<'name' | 'epoch' | 'version' | 'release', string>>>,
): Pick<SbomComponent, 'source'> {
  const { name = '', epoch = '', version = '', release = '' } = parts;
  if (name === '') return {};
  const own = `${epoch === '' || epoch === '0' ? '' : `${epoch}:`}${version}${release === '' ? '' : `-${release}`}`;
  return { source: own === '' ? name : `${name}@${own}` };
}

const TRIVY_SOURCE = /^aquasecurity:trivy:Src(Name|Epoch|Version|Release)$/;

/** The source package in the properties that Trivy writes. */
export function sourceInProperties(properties: readonly (readonly [name: string | null, value: string | null])[]) {
  const parts: Record<string, string> = {};
  for (const [name, value] of properties) {
    const part = TRIVY_SOURCE.exec(name ?? '')?.[1];
    if (part !== undefined && value !== null) parts[part.toLowerCase()] = value;
  }
  return sourceOf(parts);
}

const BUILT_FROM = /^built package from: (\S+) (\S+)$/;

/** The source package in the text that Trivy writes into SPDX. */
export function sourceInText(text: string | null): Pick<SbomComponent, 'source'> {
  const [, name, version] = BUILT_FROM.exec(text ?? '') ?? [];
  return name === undefined || version === undefined ? {} : sourceOf({ name, version });
}

/** The first package URL that can be read, or else the first one. */
export function purlAmong(texts: readonly (string | null)[]): string | null {
  const purls = texts.flatMap((text) => text?.trim() || []);
  return (purls.length > 1 ? purls.find((text) => readPurl(text) !== null) : undefined) ?? purls[0] ?? null;
}

/** Whether a type of references to other documents is that of package URLs: `purl`, in any letter case, or an address that ends with it. */
export function isPurlType(type: string | null): boolean {
  return type !== null && /(?:^|\/)purl$/i.test(type);
}

const SHA_256 = /^[a-f0-9]{64}$/i;

/** A SHA-256 digest in lower case; null for other algorithms and for an invalid digest. */
export function sha256Of(algorithm: string | null, digest: string | null): string | null {
  const isSha256 = algorithm !== null && /^sha-?256$/i.test(algorithm);
  return isSha256 && digest !== null && SHA_256.test(digest) ? digest.toLowerCase() : null;
}

/** SPDX writes these instead of a licence if the licence is unknown or not stated. */
const NO_LICENCE = new Set(['NOASSERTION', 'NONE']);

/** The licences of a package, without duplicates and without `NO_LICENCE`. */
export function licencesOf(texts: readonly (string | null)[]): Pick<SbomComponent, 'licences'> {
  const licences = texts.filter((text): text is string => text !== null && text !== '' && !NO_LICENCE.has(text));
  return licences.length === 0 ? {} : { licences: [...new Set(licences)].slice(0, LICENCES_MAX) };
}

/** The subject for a package, without the id that has a meaning only in the document. */
export function subjectOf({ name, version, purl, sha256 }: SbomComponent): SbomSubject {
  return { name, version, purl, sha256 };
}
