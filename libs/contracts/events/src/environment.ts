import type { InstanceContext } from './context';
import type { DomainEvent } from './event';
import type { EnvironmentNamingEvent } from './naming';
import type { Provenance } from './provenance';

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

/** What a caller may set. */
export interface EnvironmentSettings {
  readonly description: string;
  readonly includeScaling: boolean;
  readonly requireProvenance: boolean;
  /** Ids of member environments; null unless logical. */
  readonly includedEnvironments: readonly string[] | null;
}

export type EnvironmentCreated = DomainEvent<
  'EnvironmentCreated',
  1,
  { readonly id: string; readonly name: string; readonly type: EnvironmentType } & EnvironmentSettings
>;
export type EnvironmentUpdated = DomainEvent<'EnvironmentUpdated', 1, Partial<EnvironmentSettings>>;

/** What the flow's artifact was that this one came after in the environment. */
export interface DeploymentDiff {
  readonly diffUrl: string | null;
  readonly previous: {
    readonly fingerprint: string;
    readonly name: string;
    readonly gitCommit: string;
    readonly commitUrl: string | null;
    readonly trail: string | null;
    readonly template: string | null;
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
export interface Since {
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
   * What else was reported of each instance, in the order of `instances`; left out by kinds that say nothing else. A change without it leaves
   * it as it was; what exited has none.
   */
  readonly contexts?: readonly InstanceContext[];
  readonly since: Since;
  readonly flows: readonly RunningProvenance[];
  /** The verdict on it: null where nothing judges. */
  readonly compliant: boolean | null;
}

export type ChangeKind = 'started' | 'exited' | 'changed' | 'scaled' | 'updated-provenance';

/** One artifact that a snapshot shows otherwise than the one before it. An artifact that exited keeps its last instances here. */
export interface SnapshotChange extends RunningArtifact {
  readonly change: ChangeKind;
  /** Instances before; for `changed` those of the artifact whose place it took. */
  readonly was: number;
  readonly now: number;
  /** Its fingerprint ran under no name in the snapshot before (a deployment) / runs under none now (a departure). */
  readonly wholly: boolean;
  /** For an artifact that left: what took its place in this snapshot. It is then not listed again. */
  readonly replacedBy: ArtifactKey | null;
}

export type SnapshotRecorded = DomainEvent<
  'SnapshotRecorded',
  1,
  {
    readonly snapshot: number;
    /** The environment's name at that time. */
    readonly environment: string;
    readonly type: EnvironmentType;
    readonly changes: readonly SnapshotChange[];
  }
>;

/** All that runs after a snapshot: kept now and then, so that any snapshot reads in bounded work. In the commit of that snapshot. */
export type SnapshotStateKept = DomainEvent<
  'SnapshotStateKept',
  1,
  { readonly snapshot: number; readonly artifacts: readonly RunningArtifact[] }
>;

export type EnvironmentEvent =
  EnvironmentCreated | EnvironmentUpdated | EnvironmentNamingEvent | SnapshotRecorded | SnapshotStateKept;
