/** The subject of a package. It has the names at the time of creation, and ids, which never change. */
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
  /** Path from the root of the package: ASCII, at most 100 characters. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** 64 lower-case hexadecimal characters. */
  readonly sha256: string;
}

/** A range of commits of one stream. Each commit has the hash of the one before it. */
export interface Chain {
  readonly stream: string;
  /** Seq of the first and of the last commit. */
  readonly from: number;
  readonly to: number;
  /** Hash of the last commit. */
  readonly head: string;
  /** Paths of the files with the commits in order, one commit in each line. */
  readonly files: readonly string[];
  /** The path of the signed checkpoint that contains the last commit; null if none was signed yet. */
  readonly checkpoint: string | null;
}

/** The user or service account that acted. */
export interface Actor {
  readonly id: string;
  readonly name: string;
}

/** The parts of an attestation that retention dropped and the package therefore lacks. */
export interface DroppedFromPackage {
  /** Id of the attestation. */
  readonly attestation: string;
  readonly what: string;
  /** Age in days at which the rule drops data. */
  readonly older_than_days: number;
  /** ISO 8601. Data from before this time was dropped, unless it was held. */
  readonly before: string;
  /** Seq of the event that dropped it, in the stream of the organization's retention. This stream is one of the chains. */
  readonly event: number;
}

/** An attestation that checked nothing, whether or not it counts as compliant. */
export interface SilentAttestation {
  /** Its id. */
  readonly attestation: string;
  readonly name: string;
  readonly type: string;
  readonly says: Silence;
}

/** The kind of an attestation's empty result. The rule of its type calls the attestation compliant, because nothing failed. */
export type Silence = 'no test ran' | 'no result';

/** A bill of materials in the package. It has the data that was read when the document was attested. */
export interface PackagedSbom {
  /** Id of its attestation. */
  readonly attestation: string;
  readonly name: string;
  /** 64 lower-case hexadecimal characters; null if the attestation has no fingerprint. */
  readonly artifact: string | null;
  /** Path of the document; null if retention dropped it. */
  readonly document: string | null;
  readonly sha256: string;
  /** Such as `cyclonedx-1.6`; null if retention dropped the payload. */
  readonly format: string | null;
  /** The tools that created the document. */
  readonly tools: readonly string[];
  /** How many distinct components are recorded, and how many beyond the limit are not. Null if no components were recorded for it. */
  readonly components: { readonly listed: number; readonly left: number } | null;
  /** False if a newer document of the same name replaced it. */
  readonly newest_of_its_name: boolean;
}

/** The imported VEX statements about vulnerabilities of the artifacts. */
export interface PackagedVex {
  /** Path of the file that shows them. */
  readonly document: string;
  readonly statements: number;
  /** Whether the file has all statements that were imported when the package was made. */
  readonly complete: boolean;
}

/** The fields of a manifest that are known before the files. */
export interface Heading {
  readonly what: Subject;
  /** Time of the newest event in the package, not of the download: integer milliseconds since 1970. */
  readonly at: number;
  /** The actor of that event. */
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
  /** The positions of the packaged events, and the heads of their hash chains. */
  readonly chains: readonly Chain[];
  /** Absent if nothing was dropped. */
  readonly dropped?: readonly DroppedFromPackage[];
  /** Absent if each attestation has a result. */
  readonly silent?: readonly SilentAttestation[];
  /** Absent if none was attested. */
  readonly sboms?: readonly PackagedSbom[];
  /** Absent if nothing was imported, or if no SBOM lists components of an artifact and no scanner reported on one. */
  readonly vex?: PackagedVex;
  /** Every file except those that list files: the manifest itself, its envelope and the list of digests. */
  readonly files: readonly ListedFile[];
}

export const FORMAT = 'assurance-audit-package/1';

/** The last files of a package, which the manifest cannot list. */
export const MANIFEST = 'manifest.json';
export const ENVELOPE = 'manifest.dsse.json';
export const DIGESTS = 'SHA256SUMS';

export function manifestOf(
  { what, at, by, service, dropped }: Heading,
  chains: readonly Chain[],
  files: readonly ListedFile[],
  silentAttestations: readonly SilentAttestation[] = [],
  sboms: readonly PackagedSbom[] = [],
  vex: PackagedVex | null = null,
): Manifest {
  const when = new Date(at).toISOString();
  const drops = dropped.length === 0 ? {} : { dropped };
  const silentField = silentAttestations.length === 0 ? {} : { silent: silentAttestations };
  const optionalLists = { ...(sboms.length === 0 ? {} : { sboms }), ...(vex === null ? {} : { vex }) };
  return {
    format: FORMAT,
    what,
    when,
    by_whom: by,
    service,
    chains,
    ...drops,
    ...silentField,
    ...optionalLists,
    files,
  };
}

/** Readable JSON. The same value always gives the same text. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The text format of `sha256sum -c`. */
export function digestsText(files: readonly Pick<ListedFile, 'path' | 'sha256'>[]): string {
  return files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
}
