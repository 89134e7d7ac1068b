import type { EnvironmentMoved } from '../access/events';
import type { DomainEvent } from '../events/event';
import type { Renaming, TagChange } from '../events/naming';
import type { Provenance } from '../flows/events';
import type { EncodedVerdict, JudgedTrail, JudgingEvent, PolicyVerdict, Verdict } from '../policies/events';

/** The owner of a pod: a Kubernetes OwnerReference. */
export interface PodOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Details of an instance besides digest and time, by kind of details. Only some kinds of reports have them. */
interface InstanceDetails {
  readonly pod: { readonly pod: string; readonly namespace: string; readonly owners: readonly PodOwner[] | null };
  readonly task: { readonly arn: string; readonly cluster: string | null; readonly service: string | null };
  readonly 'azure-app': { readonly app: string; readonly kind: string; readonly digestsSource: string };
  readonly 'cloud-run': {
    readonly kind: 'service' | 'job';
    readonly service: string | null;
    readonly revision: string | null;
    readonly job: string | null;
  };
}

/** Details of an instance as they are recorded and shown. They make no snapshot by themselves. */
export type InstanceContext<Of extends keyof InstanceDetails = keyof InstanceDetails> = {
  readonly [K in Of]: { readonly of: K } & InstanceDetails[K];
}[Of];

/** Every detail in a fixed order. `contextsKey` depends on the order, and states store it, so new details come last. */
export const ORDERED_DETAILS: {
  readonly [Of in keyof InstanceDetails]: (
    details: InstanceDetails[Of],
  ) => Readonly<Record<keyof InstanceDetails[Of], unknown>>;
} = {
  pod: ({ pod, namespace, owners }) => ({ pod, namespace, owners: owners?.map(orderedOwner) ?? null }),
  task: ({ arn, cluster, service }) => ({ arn, cluster, service }),
  'azure-app': ({ app, kind, digestsSource }) => ({ app, kind, digestsSource }),
  'cloud-run': ({ kind, service, revision, job }) => ({ kind, service, revision, job }),
};

function orderedOwner({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: PodOwner): readonly unknown[] {
  return [apiVersion, kind, name, uid, controller, blockOwnerDeletion];
}

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
  /** The seconds within which the next report is expected. 0 or left out: the service learns the interval. */
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

/**
 * Identifies an artifact by fingerprint and name, because one fingerprint may have several names. `fingerprint` is `''` if it is unknown, which some
 * kinds allow.
 */
export interface ArtifactKey {
  readonly fingerprint: string;
  readonly name: string;
}

/** The snapshot in which something began. */
export interface StartingSnapshot {
  readonly snapshot: number;
  /** Integer milliseconds. */
  readonly at: number;
  /** Epoch seconds: the earliest known creation time of its first instances; otherwise the time of the snapshot. Lead times end at this time. */
  readonly deployedAt: number;
}

/** An artifact as a snapshot stores it. */
export interface RunningArtifact extends ArtifactKey {
  /** Creation time of each instance in epoch seconds, as reported; 0 if unknown. */
  readonly instances: readonly number[];
  /**
   * Further details of each instance, in the order of `instances`. Absent for kinds without details. If a change has none, the details stay
   * unchanged. An artifact that exited has none.
   */
  readonly contexts?: readonly InstanceContext[];
  readonly since: StartingSnapshot;
  readonly flows: readonly RunningProvenance[];
  /** Whether it complies; null if nothing judges it. */
  readonly compliant: boolean | null;
  /** Ids of the policies that it does not meet; left out if there are none. */
  readonly failing?: readonly string[];
  /** The whole verdict. Only full states have it; for changes, another event of the commit has the verdict. */
  readonly verdict?: Verdict;
}

/** A version of a policy by which a snapshot was judged, with the name of the policy at that time. */
export interface AppliedPolicy {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

/** The standards by which a snapshot was judged, and the result. */
export interface SnapshotJudgement {
  /** Whether all running artifacts are compliant. */
  readonly compliant: boolean;
  /** The policies in the order in which they were attached. */
  readonly policies: readonly AppliedPolicy[];
  readonly requireProvenance: boolean;
  /** By stream: this judgement includes other streams at least up to this seq. */
  readonly heads: Readonly<Record<string, number>>;
}

/** The kind of a deployment. It depends on the history of the environment. */
export type DeploymentKind = 'baseline' | 'first' | 'restart' | 'rollback' | 'redeployment';

export type ChangeKind = 'started' | 'exited' | 'changed' | 'scaled' | 'updated-provenance';

/** One artifact that changed since the previous snapshot. An artifact that exited keeps its last instances here. */
export interface SnapshotChange extends RunningArtifact {
  readonly change: ChangeKind;
  /** The number of instances before. For `changed`: the instances of the replaced artifact. */
  readonly was: number;
  readonly now: number;
  /**
   * Whether the fingerprint is new in the environment (a deployment) or left it completely (a departure): it ran under no name in the previous
   * snapshot, or runs under no name now.
   */
  readonly wholly: boolean;
  /** The kind of a deployment, as known at its start. Left out if unknown, and absent in commits of earlier versions. Lists compute their own. */
  readonly kind?: DeploymentKind;
  /** For an artifact that left: the artifact that replaced it in this snapshot. The replaced artifact is then not listed again. */
  readonly replacedBy: ArtifactKey | null;
  /** The reason for another verdict on an unchanged artifact; absent for all other changes. */
  readonly because?: JudgementReason;
  /** See `RefreshedArtifact`. */
  readonly startedAs?: readonly NamedStart[];
}

/** A name under which an artifact started, and the snapshot of that start. */
export type NamedStart = readonly [name: string, snapshot: number];

/** An artifact that still runs, as the new report describes it. Its start, provenance and verdict stay unchanged. */
export interface RefreshedArtifact extends ArtifactKey {
  readonly instances: readonly number[];
  readonly contexts?: readonly InstanceContext[];
  /** For a new name: the name under which the artifact was recorded before. */
  readonly from?: string;
  readonly since: StartingSnapshot;
  /** In how many flows and trails it was known when a snapshot last recorded it. */
  readonly known: number;
  /** Left out if nothing judged it. */
  readonly judged?: { readonly compliant: boolean; readonly failing: readonly string[] };
  /** The names under which it started, if they differ from its current name. */
  readonly startedAs?: readonly NamedStart[];
}

/**
 * Differences between a report and the recorded state of artifacts that still run: other instances, or other names. They apply before the changes of
 * the snapshot.
 */
export interface Refreshed {
  readonly artifacts: readonly RefreshedArtifact[];
  /** Recorded names of a running digest that no longer run. */
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
    /** Left out if nothing differs, and for snapshots without a report. */
    readonly refreshed?: Refreshed;
    /** Left out if nothing judges the environment. */
    readonly judged?: SnapshotJudgement;
    /**
     * Only for a logical environment: the newest snapshot of each member that has one, by the member's id. The logical snapshot unites them. Absent
     * in commits of earlier versions.
     */
    readonly members?: Readonly<Record<string, number>>;
    /**
     * When the content of the snapshot was observed (integer milliseconds). Absent in commits of earlier versions; the time of the commit applies
     * there.
     */
    readonly observedAt?: number;
    /**
     * When the previous report was observed (integer milliseconds). Null for the first report of the environment, and for the first after a revival.
     * Left out for snapshots without a report, and absent in commits of earlier versions.
     */
    readonly previousReportAt?: number | null;
    /**
     * The previous type of the environment. Only the first snapshot after a change of type has it: it starts empty, and everything that ran before
     * has left.
     */
    readonly afresh?: EnvironmentType;
  };
}

/** The verdicts of the snapshot in the same commit. An artifact without an entry keeps its verdict. The data is outside the commit. */
export interface VerdictsKept extends DomainEvent<'VerdictsKept', 2> {
  readonly data: EncodedPolicies & {
    readonly artifacts: readonly (ArtifactKey & { readonly verdict: EncodedVerdict })[];
  };
}

/**
 * The results of policies for the artifacts of an event. Version 1 stores the results with each artifact. Newer versions store each result once, and
 * artifacts refer to it.
 */
export interface EncodedPolicies {
  readonly policies?: readonly (readonly PolicyVerdict[])[];
}

/** An artifact in a full state. */
export interface EncodedArtifact extends Omit<RunningArtifact, 'verdict'> {
  readonly verdict?: EncodedVerdict;
}

/**
 * Everything that runs after a snapshot. It is stored now and then, in the commit of that snapshot, so that any snapshot can be read with limited
 * work.
 */
export interface SnapshotStateKept extends DomainEvent<'SnapshotStateKept', 2> {
  readonly data: EncodedPolicies & {
    readonly snapshot: number;
    readonly artifacts: readonly EncodedArtifact[];
    /** Never stored. It says that retention dropped the data, so `artifacts` is empty. */
    readonly dropped?: true;
  };
}

/** The report of an environment is late. There is one event for each report without a successor in time. */
export interface ReportMissed extends DomainEvent<'ReportMissed', 1> {
  readonly data: {
    /** When its newest report was received: integer milliseconds, as `dueAt`. 0 if none was. */
    readonly lastReceivedAt: number;
    /** When the next report was due. */
    readonly dueAt: number;
    /** The next report was already late by an earlier setting, so no message is sent again. Otherwise left out. */
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

export type EnvironmentArchived = DomainEvent<'EnvironmentArchived', 1, Record<never, never>>;
/** Has the type if the type has changed. Earlier reports then no longer count. */
export type EnvironmentRevived = DomainEvent<'EnvironmentRevived', 1, { readonly type?: EnvironmentType }>;
export type EnvironmentRenamed = DomainEvent<'EnvironmentRenamed', 1, Renaming>;
export type EnvironmentTagged = DomainEvent<'EnvironmentTagged', 1, TagChange>;

/** Events about the name, tags and space of an environment. */
export type EnvironmentNamingEvent =
  EnvironmentArchived | EnvironmentRevived | EnvironmentRenamed | EnvironmentTagged | EnvironmentMoved;
