import type { Workload } from './workloads';

/** How long a departure may be undone, and how long a group of lines has to be quiet until its kinds are final (milliseconds). */
export const DAY = 86_400_000;

/** Identifies a deployment in its environment: `<snapshot>/<fingerprint>`. */
export type DeploymentId = `${number}/${string}`;

/** A snapshot of an environment, and when it was observed (integer milliseconds). */
export interface Moment {
  readonly snapshot: number;
  readonly at: number;
}

/** When a fingerprint first ran in an environment. */
export interface FirstRun {
  readonly snapshot: number;
  /** Epoch seconds. */
  readonly deployedAt: number;
  /** Whether an instance told when it was created. */
  readonly isStartKnown: boolean;
  readonly isBaseline: boolean;
}

/** The names and workloads of an artifact from a snapshot on, until the next appearance or its end. The first name is that of the artifact. */
export interface Appearance {
  readonly from: Moment;
  readonly names: readonly (readonly [name: string, workloads: readonly Workload[]])[];
}

/** A fingerprint that runs in an environment from one snapshot to another without a gap, as events tell it. */
export interface DeploymentFacts {
  readonly id: DeploymentId;
  readonly fingerprint: string;
  readonly start: Moment;
  /** Epoch seconds. */
  readonly deployedAt: number;
  readonly isBaseline: boolean;
  readonly first: FirstRun;
  /** The first snapshot without it before it returned; null where it never ran before. */
  readonly previousEnd: Moment | null;
  /** At least one, ascending. */
  readonly appearances: readonly Appearance[];
  /** The first snapshot without it; null while it runs. */
  readonly end: Moment | null;
}

export function deploymentId(snapshot: number, fingerprint: string): DeploymentId {
  return `${snapshot}/${fingerprint}`;
}
