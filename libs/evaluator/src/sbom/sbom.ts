/** A package that a bill of materials lists. */
export interface SbomComponent {
  /** As the document calls it inside; null if it has none. */
  readonly id: string | null;
  readonly name: string;
  readonly version: string | null;
  /** Package URL. */
  readonly purl: string | null;
  /** 64 hexadecimal digits. */
  readonly sha256: string | null;
  /** Identifiers, names or expressions; left out where the document names none. */
  readonly licences?: readonly string[];
}

/** What a bill of materials describes. */
export type SbomSubject = Omit<SbomComponent, 'id' | 'licences'>;

/** A software bill of materials. */
export interface Sbom {
  /** Name and version, such as `cyclonedx-1.6` or `spdx-2.3`. */
  readonly format: string;
  /** As it is in the document. */
  readonly createdAt: string | null;
  /** Names of the tools that made it, with their versions; null if it names none. */
  readonly tools: readonly string[] | null;
  readonly subject: SbomSubject | null;
  /** Every package that the document lists, in its order; nested ones before what holds them. */
  readonly components: readonly SbomComponent[];
}

/** The most packages of a document. */
export const COMPONENTS_MAX = 300_000;
/** The deepest nesting of a document. */
export const DEPTH_MAX = 200;
/** The most characters of a text that is kept of a document. Longer ones are cut. */
export const TEXT_MAX = 2_048;
/** The most tools and described packages that are kept. */
export const NAMED_MAX = 100;
/** The most licences of a package that are kept. */
export const LICENCES_MAX = 20;

/** A document that cannot be read, with the reason. */
export class UnreadableDocument extends Error {}

/** Collects the packages of a document. */
export class Components {
  readonly all: SbomComponent[] = [];

  /** @throws Unreadable for a package without a name, and for one too many */
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

/** A digest as it is kept: null unless it is one of SHA-256. */
export function sha256Of(algorithm: string | null, digest: string | null): string | null {
  const isSha256 = algorithm !== null && /^sha-?256$/i.test(algorithm);
  return isSha256 && digest !== null && SHA_256.test(digest) ? digest.toLowerCase() : null;
}

/** SPDX writes that nothing is known, or that nothing is stated, as a licence. */
const NO_LICENCE = new Set(['NOASSERTION', 'NONE']);

/** The licences of a package as they are kept: each once, and none that says that nothing is known. */
export function licencesOf(texts: readonly (string | null)[]): Pick<SbomComponent, 'licences'> {
  const licences = texts.filter((text): text is string => text !== null && text !== '' && !NO_LICENCE.has(text));
  return licences.length === 0 ? {} : { licences: [...new Set(licences)].slice(0, LICENCES_MAX) };
}

/** A subject without what only the document knows. */
export function subjectOf({ name, version, purl, sha256 }: SbomComponent): SbomSubject {
  return { name, version, purl, sha256 };
}
