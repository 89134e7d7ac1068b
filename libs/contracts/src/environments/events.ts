import type { DomainEvent } from '../events/event';
import type { EnvironmentNamingEvent } from '../events/naming';
import type { Provenance } from '../flows/events';
import type { JudgedTrail, JudgingEvent, EncodedVerdict, PolicyVerdict, Verdict } from '../policies/events';

/** The owner of a pod: a Kubernetes OwnerReference. */
export interface PodOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Details of an instance that some kinds of reports contain besides digest and time. They are recorded and shown, but never compared. */
export type InstanceContext =
  | {
      readonly of: 'pod';
      readonly pod: string;
      readonly namespace: string;
      readonly owners: readonly PodOwner[] | null;
    }
  | {
      readonly of: 'task';
      readonly arn: string;
      readonly cluster: string | null;
      readonly service: string | null;
    }
  | {
      readonly of: 'azure-app';
      readonly app: string;
      readonly kind: string;
      readonly digestsSource: string;
    }
  | {
      readonly of: 'cloud-run';
      readonly kind: 'service' | 'job';
      readonly service: string | null;
      readonly revision: string | null;
      readonly job: string | null;
    };

export const ENVIRONMENT_TYPES = [
  'K8S',
  'ECS',
  'S3',
  'lambda',
  'server',
  'docker',
  'azure-apps',
  'cloud-run',
  'logical',
] as const;
export type EnvironmentType = (typeof ENVIRONMENT_TYPES)[number];

/** Settings of an environment. */
export interface EnvironmentSettings {
  readonly description: string;
  readonly includeScaling: boolean;
  readonly requireProvenance: boolean;
  /** Ids of member environments; null unless logical. */
  readonly includedEnvironments: readonly string[] | null;
  /** Within how many seconds a report is expected; 0 or left out: the service learns it. */
  readonly reportEvery?: number;
}

export interface EnvironmentCreated extends DomainEvent<'EnvironmentCreated', 1> {
  readonly data: { readonly id: string; readonly name: string; readonly type: EnvironmentType } & EnvironmentSettings;
}
export type EnvironmentUpdated = DomainEvent<'EnvironmentUpdated', 1, Partial<EnvironmentSettings>>;

/** The artifact of the same flow that this one followed in the environment. */
export interface DeploymentDiff {
  readonly diffUrl: string | null;
  readonly previous: {
    readonly fingerprint: string;
    readonly name: string;
    readonly gitCommit: string;
    readonly commitUrl: string | null;
    readonly trail: string | null;
    readonly template: string | null;
    /** Its compliance status in its flow when the snapshot was made; absent if no policy was attached. */
    readonly state?: JudgedTrail['status'];
  };
}

/** Provenance of a running artifact, as known when its snapshot was made. */
export interface RunningProvenance extends Provenance {
  readonly deploymentDiff: DeploymentDiff | null;
  /** Seconds from the commit's timestamp to the deployment; may be negative; null without a commit time. */
  readonly leadTime: number | null;
}

/** Which artifact: several names may carry one fingerprint. `fingerprint` is `''` where the kind allows an unknown digest. */
export interface ArtifactKey {
  readonly fingerprint: string;
  readonly name: string;
}

/** The snapshot in which something began. */
export interface StartingSnapshot {
  readonly snapshot: number;
  /** Integer milliseconds. */
  readonly at: number;
  /** Epoch seconds: the earliest known creation time of the instances it began with, else the snapshot's time. Lead times count to it. */
  readonly deployedAt: number;
}

/** An artifact as a snapshot keeps it. */
export interface RunningArtifact extends ArtifactKey {
  /** Creation time of each instance in epoch seconds, as reported; 0 where unknown. */
  readonly instances: readonly number[];
  /**
   * Further details of each instance, in the order of `instances`; absent for kinds without details. A change without it leaves
   * it as it was; what exited has none.
   */
  readonly contexts?: readonly InstanceContext[];
  readonly since: StartingSnapshot;
  readonly flows: readonly RunningProvenance[];
  /** The verdict on it: null where nothing judges. */
  readonly compliant: boolean | null;
  /** Ids of the policies that it does not meet; left out where there are none. */
  readonly failing?: readonly string[];
  /** The whole of the verdict, as full states keep it; changes leave it out, since their commit keeps it apart. */
  readonly verdict?: Verdict;
}

/** A version of a policy by which a snapshot was judged, with the policy's name then. */
export interface AppliedPolicy {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

/** The standards by which a snapshot was judged, and the result. */
export interface SnapshotJudgement {
  /** Whether all that runs is compliant. */
  readonly compliant: boolean;
  /** In the order in which they were attached. */
  readonly policies: readonly AppliedPolicy[];
  readonly requireProvenance: boolean;
  /** The lowest seq of other streams that the judgement of this snapshot includes, by stream. */
  readonly heads: Readonly<Record<string, number>>;
}

/** What a deployment is, by the history of its environment. */
export type DeploymentKind = 'baseline' | 'first' | 'restart' | 'rollback' | 'redeployment';

export type ChangeKind = 'started' | 'exited' | 'changed' | 'scaled' | 'updated-provenance';

/** One artifact that a snapshot shows otherwise than the one before it. An artifact that exited keeps its last instances here. */
export interface SnapshotChange extends RunningArtifact {
  readonly change: ChangeKind;
  /** Instances before; for `changed` those of the artifact whose place it took. */
  readonly was: number;
  readonly now: number;
  /** Its fingerprint ran under no name in the snapshot before (a deployment) / runs under none now (a departure). */
  readonly wholly: boolean;
  /** Of a deployment, as known at its start; left out where unknown, and absent in commits of earlier versions. Lists compute their own. */
  readonly kind?: DeploymentKind;
  /** For an artifact that left: what took its place in this snapshot. It is then not listed again. */
  readonly replacedBy: ArtifactKey | null;
  /** The reason of another verdict for an unchanged artifact; absent for all other changes. */
  readonly because?: JudgementReason;
  /** As of `RefreshedArtifact`. */
  readonly startedAs?: readonly NamedStart[];
}

/** A name under which an artifact started, and the snapshot in which it did. */
export type NamedStart = readonly [name: string, snapshot: number];

/** An artifact that runs on, as the report of a snapshot says it. Its start, provenance and verdict stay as they were recorded. */
export interface RefreshedArtifact extends ArtifactKey {
  readonly instances: readonly number[];
  readonly contexts?: readonly InstanceContext[];
  /** For a name that is new: the name under which the artifact was recorded. */
  readonly from?: string;
  readonly since: StartingSnapshot;
  /** In how many flows and trails it was known when a snapshot last recorded it. */
  readonly known: number;
  /** Left out where nothing judged it. */
  readonly judged?: { readonly compliant: boolean; readonly failing: readonly string[] };
  /** The names under which it started, where these are not its present one. */
  readonly startedAs?: readonly NamedStart[];
}

/**
 * What a report says of artifacts that run on, where that differs from what was recorded: other instances, or other names. It comes before the changes
 * of its snapshot.
 */
export interface Refreshed {
  readonly artifacts: readonly RefreshedArtifact[];
  /** Names under which a running digest was recorded and does not run any more. */
  readonly dropped: readonly ArtifactKey[];
}

export type JudgementReason = 'evidence' | 'policy' | 'allow-list';

export interface SnapshotRecorded extends DomainEvent<'SnapshotRecorded', 1> {
  readonly data: {
    readonly snapshot: number;
    /** The environment's name at that time. */
    readonly environment: string;
    readonly type: EnvironmentType;
    readonly changes: readonly SnapshotChange[];
    /** Left out where nothing differs, and of snapshots that no report made. */
    readonly refreshed?: Refreshed;
    /** Left out where nothing judges. */
    readonly judged?: SnapshotJudgement;
    /**
     * Of a logical environment, the newest snapshot of each member that has one, by the member's id: it unites these. Left out by all others, and
     * absent in commits of earlier versions.
     */
    readonly members?: Readonly<Record<string, number>>;
    /** When what it shows was observed (integer milliseconds). Absent in commits of earlier versions: there it is the commit's time. */
    readonly observedAt?: number;
    /**
     * When the report before the one that made this snapshot was observed (integer milliseconds); null where it is the environment's first report, also
     * the first after a revival. Left out of snapshots that no report made, and absent in commits of earlier versions.
     */
    readonly previousReportAt?: number | null;
    /** Of which type the environment was before: the snapshot starts from nothing, and all that ran before has left. Left out by all others. */
    readonly afresh?: EnvironmentType;
  };
}

/** The verdicts of the snapshot of the same commit; artifacts without an entry keep theirs. The data is outside the commit. */
export interface VerdictsKept extends DomainEvent<'VerdictsKept', 2> {
  readonly data: EncodedPolicies & {
    readonly artifacts: readonly (ArtifactKey & { readonly verdict: EncodedVerdict })[];
  };
}

/** The results of policies for the artifacts of an event. Version 1 stores them with each artifact; now artifacts refer to them. */
export interface EncodedPolicies {
  readonly policies?: readonly (readonly PolicyVerdict[])[];
}

/** An artifact in a full state. */
export interface EncodedArtifact extends Omit<RunningArtifact, 'verdict'> {
  readonly verdict?: EncodedVerdict;
}

/** All that runs after a snapshot: kept now and then, so that any snapshot reads in bounded work. In the commit of that snapshot. */
export interface SnapshotStateKept extends DomainEvent<'SnapshotStateKept', 2> {
  readonly data: EncodedPolicies & {
    readonly snapshot: number;
    readonly artifacts: readonly EncodedArtifact[];
    /** Never stored: retention dropped the data, so that `artifacts` is empty. */
    readonly dropped?: true;
  };
}

/** An environment was not reported for longer than it may be. Once for each report that none followed in time. */
export interface ReportMissed extends DomainEvent<'ReportMissed', 1> {
  readonly data: {
    /** When its newest report was received: integer milliseconds, as `dueAt`. */
    readonly lastReceivedAt: number;
    /** By when the next one was due. */
    readonly dueAt: number;
    /** It was late for the same report before, by an earlier setting: nobody gets a message again. Else left out. */
    readonly untold?: true;
  };
}

export type EnvironmentEvent =
  | EnvironmentCreated
  | EnvironmentUpdated
  | EnvironmentNamingEvent
  | JudgingEvent
  | SnapshotRecorded
  | VerdictsKept
  | SnapshotStateKept
  | ReportMissed;
