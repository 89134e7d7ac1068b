import type { ChangeKind, CollectionShape } from '@assurance/contracts-events';

/** One artifact that a snapshot shows otherwise than the one before it. Depends on the environment's stream alone. */
export interface EnvironmentEventRow {
  /** Id of the environment. */
  readonly environment: string;
  readonly snapshot: number;
  /** Its place among the changes of its snapshot, from 0. */
  readonly place: number;
  /** Of the snapshot: integer milliseconds. */
  readonly at: number;
  readonly fingerprint: string;
  readonly name: string;
  readonly change: ChangeKind;
  readonly was: number;
  readonly now: number;
  readonly compliant: boolean | null;
  /** Names of the flows in which it was known then, the first report's first. */
  readonly flows: readonly string[];
  /** In its first flow; null without provenance. */
  readonly artifactId: string | null;
  /** Id of the repository of its first flow. */
  readonly repo: string | null;
  /** Compares the commits of what ran before and of this, in its first flow. */
  readonly diffUrl: string | null;
}

const newest = [
  ['snapshot', 'desc'],
  ['place', 'asc'],
] as const;

/** Newest first, and that reversed. */
export const EVENT_ORDER = {
  newestFirst: newest,
  oldestFirst: [
    ['snapshot', 'asc'],
    ['place', 'desc'],
  ],
} as const;

export const environmentEvents: CollectionShape<EnvironmentEventRow> = {
  name: 'view_environment_events',
  indexes: [
    { name: 'by_environment', fields: [['environment', 'asc'], ...newest] },
    { name: 'by_repo', fields: [['environment', 'asc'], ['repo', 'asc'], ...newest] },
  ],
};
