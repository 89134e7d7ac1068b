import type { CommitInfo } from '@assurance/contracts/events/commit';
import type { AttestationStatus, TrailState } from '@assurance/flows/domain/requirements';
import type { Chain, Heading, ListedFile, PackagedSbom, Silence } from '../manifest';
import type { ShownStatement } from '../contents';

/** Rows in the order in which they are shown. They are read one by one, so a long list does not need to be in memory. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

export type ReportSubject =
  | { readonly kind: 'trail' }
  | { readonly kind: 'artifact'; readonly name: string; readonly fingerprint: string }
  | { readonly kind: 'attestation'; readonly name: string; readonly id: string };

/** An attestation that counts for the verdict, or that is missing for it. */
export interface Requirement extends Pick<AttestationStatus, 'name' | 'type' | 'compliant' | 'unexpected'> {
  /** The artifact's name in the template; null if the trail itself requires it. */
  readonly artifact: string | null;
}

/** The status of a trail and the reasons. */
export interface Verdict {
  readonly status: TrailState;
  readonly requirements: readonly Requirement[];
  /** Names of artifacts that the template requires and that were not reported. */
  readonly missingArtifacts: readonly string[];
}

/** The content of an event in the timeline. */
export type ReportEvent =
  | { readonly kind: 'begun' }
  /** `fields`: names in the API, such as `description`. */
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
  /** Integer milliseconds since 1970, like all times here. */
  readonly at: number;
  /** Name of the user or service account; null if the service itself caused it. */
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
  /** The kind of empty result; null if there is a result. */
  readonly silence: Silence | null;
  /** True if it is the newest of its name. Newer attestations replace older ones. */
  readonly counts: boolean;
  readonly at: number;
  readonly by: string;
  /** Its description, or the reason of an override. */
  readonly note: string | null;
  /** The file of the attestation's payload. */
  readonly file: ListedFile;
  /** `filename`: the name that the client used. */
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
  /** False if later statements replace it for all its components. */
  readonly holds: boolean;
}

export interface ArtifactRow {
  readonly name: string;
  readonly fingerprint: string;
  /** Its name in the template; null if it has none. */
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
  /** The verdict in the newest of these snapshots; null if nothing judged it. */
  readonly compliant: boolean | null;
  /** Null if it is not on the allow-list. */
  readonly allowance: AllowanceRow | null;
}

/** An entry of an allow-list. */
export interface AllowanceRow {
  readonly by: string;
  readonly at: number;
  /** Empty if no reason was given. */
  readonly why: string;
  /** Null if it has no end. */
  readonly until: number | null;
}

/** The result of a policy for an artifact in an environment. */
export interface PolicyVerdictRow {
  readonly artifact: string;
  readonly environment: string;
  readonly snapshot: number;
  readonly compliant: boolean;
  /** True if it is on the allow-list, which overrides policies. */
  readonly allowed: boolean;
  /** Also null if the verdict is from an earlier version, which did not record the entry. */
  readonly allowance: AllowanceRow | null;
  /** Reasons as texts; empty if it is compliant. */
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

/** The content of the report. Others may have chosen every text in it. */
export interface AuditReport {
  readonly what: ReportSubject;
  readonly organization: string;
  readonly flow: string;
  /** Null for an artifact that was reported without a trail. */
  readonly trail: string | null;
  readonly description: string;
  /** The time of the newest event in the package, which is also the date of the document. */
  readonly at: number;
  /** Name of the actor of that event. */
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
  /** Null if nothing was imported, or if no SBOM lists components of an artifact and no scanner reported on one. */
  readonly vex: { readonly rows: Rows<VexRow>; readonly isComplete: boolean } | null;
  /** The attestations that count but checked nothing. */
  readonly silent: readonly Pick<EvidenceRow, 'name' | 'silence'>[];
  readonly artifacts: Rows<ArtifactRow>;
  readonly deployments: Rows<DeploymentRow>;
  /** True if the package leaves out older deployments. */
  readonly olderDeployments: boolean;
  readonly policies: Rows<PolicyRow>;
}
