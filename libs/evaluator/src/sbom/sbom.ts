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
}

/** The package that a bill of materials describes. */
export type SbomSubject = Omit<SbomComponent, 'id' | 'licences'>;

/** A software bill of materials. */
export interface Sbom {
  /** Name and version, such as `cyclonedx-1.6` or `spdx-2.3`. */
  readonly format: string;
  /** The text from the document. */
  readonly createdAt: string | null;
  /** Names and versions of the tools that made the document; null if it names none. */
  readonly tools: readonly string[] | null;
  readonly subject: SbomSubject | null;
  /** Every package that the document lists, in its order. Nested packages come before the package that contains them. */
  readonly components: readonly SbomComponent[];
}

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

  /** @throws UnreadableDocument if the package has no name, or if there are too many packages */
  add(component: Omit<SbomComponent, 'name'> & { readonly name: string | null }): void {
    const { name } = component;
    if (name === null || name === '') throw new UnreadableDocument(`its package ${this.all.length + 1} has no name`);
    if (this.all.length >= COMPONENTS_MAX) {
      throw new UnreadableDocument(
        `it lists more than ${COMPONENTS_MAX} packages, which is the limit. Divide it between attestations`,
      );
    }
    this.all.push({ ...component, name });
  }
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
