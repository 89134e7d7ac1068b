import type { CommitInfo } from '@assurance/contracts/flows/events';
import type { AttestationStatus, TrailState } from '@assurance/flows/domain/requirements';
import type { Chain, Heading, ListedFile, PackagedSbom, Silence } from '../manifest';
import type { ShownStatement } from '../shown';

/** Rows in the order in which they are shown. They are asked for one by one, so that a long list need not be in memory. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** The subject of the report. */
export type ReportSubject =
  | { readonly kind: 'trail' }
  | { readonly kind: 'artifact'; readonly name: string; readonly fingerprint: string }
  | { readonly kind: 'attestation'; readonly name: string; readonly id: string };

/** An attestation that counts for the verdict, or that is missing for it. */
export interface Requirement extends Pick<AttestationStatus, 'name' | 'type' | 'compliant' | 'unexpected'> {
  /** The artifact's name in the template; null for those of the trail itself. */
  readonly artifact: string | null;
}

/** The status of a trail and the reasons. */
export interface Verdict {
  readonly status: TrailState;
  readonly requirements: readonly Requirement[];
  /** Names of artifacts that the template requires and nobody reported. */
  readonly missingArtifacts: readonly string[];
}

/** The events. */
export type ReportEvent =
  | { readonly kind: 'begun' }
  /** `fields`: as a caller knows them, such as `description`. */
  | { readonly kind: 'updated'; readonly fields: readonly string[] }
  | { readonly kind: 'artifact'; readonly name: string; readonly fingerprint: string }
  /** `about`: the artifact's name; null for the trail itself. */
  | {
      readonly kind: 'attested' | 'overridden';
      readonly name: string;
      readonly type: string;
      readonly about: string | null;
      readonly compliant: boolean;
    }
  | {
      readonly kind: 'started' | 'exited';
      readonly artifact: string;
      readonly environment: string;
      readonly snapshot: number;
    };

export interface TimelineRow {
  /** Integer milliseconds since 1970, as all times here. */
  readonly at: number;
  /** Name of the user or service account; null where the service itself found it. */
  readonly by: string | null;
  readonly what: ReportEvent;
}

export interface EvidenceRow {
  readonly id: string;
  readonly name: string;
  /** Such as `junit` or `custom:coverage`. */
  readonly type: string;
  /** The artifact that it is about, by its name; null for the trail itself. */
  readonly about: { readonly name: string; readonly fingerprint: string | null } | null;
  readonly compliant: boolean;
  /** Where nothing was checked; null where there is a result. */
  readonly silence: Silence | null;
  /** It is the newest of its name: those that are not were replaced. */
  readonly counts: boolean;
  readonly at: number;
  readonly by: string;
  /** Its description, or the reason of an override. */
  readonly note: string | null;
  /** The attestations. */
  readonly file: ListedFile;
  /** `filename`: as the client called it. */
  readonly attachments: readonly (ListedFile & { readonly filename: string })[];
}

export interface SbomRow extends Pick<
  PackagedSbom,
  'name' | 'document' | 'sha256' | 'format' | 'tools' | 'components' | 'newest_of_its_name'
> {
  /** Name of the artifact; null for the trail itself. */
  readonly about: string | null;
}

/** An imported VEX statement about a vulnerability of an artifact. */
export interface VexRow extends Pick<
  ShownStatement,
  'vulnerability' | 'components' | 'status' | 'justification' | 'by' | 'at' | 'document'
> {
  /** Name of the artifact. */
  readonly artifact: string;
  /** Whether no later statement replaces it for all its components. */
  readonly holds: boolean;
}

export interface ArtifactRow {
  readonly name: string;
  readonly fingerprint: string;
  /** Its name in the template; null where it has none. */
  readonly template: string | null;
  /** The statuses of its attestations. */
  readonly status: TrailState;
  readonly at: number;
  readonly by: string;
  /** 40 hexadecimal characters. */
  readonly gitCommit: string | null;
  readonly buildUrl: string | null;
}

/** A period in which an artifact ran in an environment. */
export interface DeploymentRow {
  readonly artifact: string;
  readonly fingerprint: string;
  readonly environment: string;
  /** Such as `docker`. */
  readonly environmentType: string;
  readonly since: number;
  /** Null while it runs. */
  readonly until: number | null;
  /** Index of the snapshot in which it started. */
  readonly snapshot: number;
  /** In the newest of these snapshots; null where nothing judged it. */
  readonly compliant: boolean | null;
  /** Null where it is not on the allow-list. */
  readonly allowance: AllowanceRow | null;
}

/** An entry of an allow-list. */
export interface AllowanceRow {
  readonly by: string;
  readonly at: number;
  /** Empty where no reason was given. */
  readonly why: string;
  /** Null where it has no end. */
  readonly until: number | null;
}

/** The result of a policy for an artifact in an environment. */
export interface PolicyVerdictRow {
  readonly artifact: string;
  readonly environment: string;
  readonly snapshot: number;
  readonly compliant: boolean;
  /** It is on the allow-list, which counts more than policies. */
  readonly allowed: boolean;
  /** Null also where the verdict does not tell the entry: one of an earlier version. */
  readonly allowance: AllowanceRow | null;
  /** In words; empty where it is compliant. */
  readonly reasons: readonly string[];
}

/** A policy in force where an artifact ran. */
export interface PolicyRow {
  readonly name: string;
  readonly version: number;
  readonly file: ListedFile;
  readonly verdicts: readonly PolicyVerdictRow[];
}

/** The commits of one stream that the package holds. */
export type ChainRow = Pick<Chain, 'stream' | 'from' | 'to' | 'head'>;

/** All that the report shows. Every text in it may have been chosen by others. */
export interface AuditReport {
  readonly what: ReportSubject;
  readonly organization: string;
  readonly flow: string;
  /** Null for an artifact that was reported without a trail. */
  readonly trail: string | null;
  readonly description: string;
  /** When the newest event in the package was recorded: also the date of the document. */
  readonly at: number;
  /** Name of who caused that event. */
  readonly by: string;
  /** The installation that recorded it. */
  readonly service: Heading['service'];
  readonly commit: CommitInfo | null;
  readonly repository: { readonly name: string; readonly url: string } | null;
  readonly verdict: Verdict;
  readonly chains: readonly ChainRow[];
  /** Oldest first. */
  readonly timeline: Rows<TimelineRow>;
  readonly evidence: Rows<EvidenceRow>;
  readonly sboms: Rows<SbomRow>;
  /** Null where nothing was imported, or neither an SBOM lists components of an artifact nor a scanner reported on one. */
  readonly vex: { readonly rows: Rows<VexRow>; readonly isComplete: boolean } | null;
  /** Those of the evidence that count and in which nothing was checked. */
  readonly silent: readonly Pick<EvidenceRow, 'name' | 'silence'>[];
  readonly artifacts: Rows<ArtifactRow>;
  readonly deployments: Rows<DeploymentRow>;
  /** There were older ones, which the package leaves out. */
  readonly olderDeployments: boolean;
  readonly policies: Rows<PolicyRow>;
}
