/** The subject of a package. It has the names at the time of creation; ids never change. */
export type Subject =
  | { readonly kind: 'trail'; readonly organization: string; readonly flow: string; readonly trail: string }
  | { readonly kind: 'artifact'; readonly organization: string; readonly flow: string; readonly fingerprint: string }
  | {
      readonly kind: 'attestation';
      readonly organization: string;
      readonly flow: string;
      readonly trail: string;
      readonly attestation: string;
    };

/** A file of a package. */
export interface ListedFile {
  /** From the root of the package: ASCII, at most 100 characters. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** 64 lower-case hexadecimal characters. */
  readonly sha256: string;
}

/** A range of the commits of one stream, each of which names the hash of the one before it. */
export interface Chain {
  readonly stream: string;
  /** Seq of the first and of the last commit. */
  readonly from: number;
  readonly to: number;
  /** Hash of the last commit. */
  readonly head: string;
  /** Paths of the files that hold the commits, a line each, in their order. */
  readonly files: readonly string[];
  /** The path of the signed checkpoint that contains the last commit; null if none was signed yet. */
  readonly checkpoint: string | null;
}

/** Who acted. */
export interface Actor {
  readonly id: string;
  readonly name: string;
}

/** The parts of an attestation that retention dropped and the package therefore lacks. */
export interface DroppedFromPackage {
  /** Id of the attestation. */
  readonly attestation: string;
  readonly what: string;
  /** The rule. */
  readonly older_than_days: number;
  /** ISO 8601: what was recorded earlier was dropped, unless it was held. */
  readonly before: string;
  /** Position of that event in the stream of the organization's retention, which is one of the chains. */
  readonly event: number;
}

/** An attestation that counts as compliant or not, and in which nothing was checked. */
export interface SilentAttestation {
  /** Its id. */
  readonly attestation: string;
  readonly name: string;
  readonly type: string;
  readonly says: Silence;
}

/** What an attestation says in which nothing was checked. Its type's rule calls it compliant, because nothing failed. */
export type Silence = 'no test ran' | 'no result';

/** A bill of materials in the package, as it was read when it was attested. */
export interface PackagedSbom {
  /** Id of its attestation. */
  readonly attestation: string;
  readonly name: string;
  /** 64 lower-case hexadecimal characters; null where the attestation names no fingerprint. */
  readonly artifact: string | null;
  /** Path of the document; null where retention dropped it. */
  readonly document: string | null;
  readonly sha256: string;
  /** Such as `cyclonedx-1.6`; null where retention dropped what was read. */
  readonly format: string | null;
  /** What made the document. */
  readonly tools: readonly string[];
  /** How many different components are recorded, and how many are not, beyond the limit; null where none were recorded yet. */
  readonly components: { readonly listed: number; readonly left: number } | null;
  /** Whether it is the newest of its name: those that are not were replaced. */
  readonly newest_of_its_name: boolean;
}

/** The imported VEX statements about vulnerabilities of the artifacts. */
export interface PackagedVex {
  /** Path of the file that shows them. */
  readonly document: string;
  readonly statements: number;
  /** Whether none is left out, of those that were imported when the package was made. */
  readonly complete: boolean;
}

/** The fields of a manifest that are known before the files. */
export interface Heading {
  readonly what: Subject;
  /** Of the newest event in it, never of the download: integer milliseconds since 1970. */
  readonly at: number;
  /** Who caused that event. */
  readonly by: Actor;
  /** The installation that made it. */
  readonly service: { readonly url: string; readonly region: string | null };
  readonly dropped: readonly DroppedFromPackage[];
}

/** The signed content: `manifest.json`. */
export interface Manifest {
  readonly format: typeof FORMAT;
  readonly what: Subject;
  /** ISO 8601. */
  readonly when: string;
  readonly by_whom: Actor;
  readonly service: Heading['service'];
  /** The positions of the events in it, and the heads of their hash chains. */
  readonly chains: readonly Chain[];
  /** Left out where nothing was dropped. */
  readonly dropped?: readonly DroppedFromPackage[];
  /** Left out where each attestation has a result. */
  readonly silent?: readonly SilentAttestation[];
  /** Left out where none was attested. */
  readonly sboms?: readonly PackagedSbom[];
  /** Left out where nothing was imported, or neither an SBOM lists components of an artifact nor a scanner reported on one. */
  readonly vex?: PackagedVex;
  /** Every file but those that say what the files are: the manifest itself, its envelope and the list of digests. */
  readonly files: readonly ListedFile[];
}

export const FORMAT = 'assurance-audit-package/1';

/** Files that come last, and that no manifest can list. */
export const MANIFEST = 'manifest.json';
export const ENVELOPE = 'manifest.dsse.json';
export const DIGESTS = 'SHA256SUMS';

export function manifestOf(
  { what, at, by, service, dropped }: Heading,
  chains: readonly Chain[],
  files: readonly ListedFile[],
  silent: readonly SilentAttestation[] = [],
  sboms: readonly PackagedSbom[] = [],
  vex: PackagedVex | null = null,
): Manifest {
  const when = new Date(at).toISOString();
  const gone = dropped.length === 0 ? {} : { dropped };
  const silentField = silent.length === 0 ? {} : { silent };
  const listed = { ...(sboms.length === 0 ? {} : { sboms }), ...(vex === null ? {} : { vex }) };
  return { format: FORMAT, what, when, by_whom: by, service, chains, ...gone, ...silentField, ...listed, files };
}

/** JSON for people and programs: always the same text for the same value. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The text format of `sha256sum -c`. */
export function digestsText(files: readonly Pick<ListedFile, 'path' | 'sha256'>[]): string {
  return files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
}
