import type { ChangeKind, CollectionShape, JudgedBecause } from '@assurance/contracts-events';
import type { Documents } from '@assurance/storage-ports';

/** One artifact that a snapshot shows otherwise than the one before it. Depends on the environment's stream alone. */
export interface EnvironmentEventRow {
  /** Id of the environment. */
  readonly environment: string;
  readonly snapshot: number;
  /** From 1, the environment's oldest: a page is found by it, however deep it lies. */
  readonly number: number;
  /** Of the snapshot: integer milliseconds. */
  readonly at: number;
  readonly fingerprint: string;
  readonly name: string;
  readonly change: ChangeKind;
  /** Left out as by the change. */
  readonly because?: JudgedBecause;
  readonly was: number;
  readonly now: number;
  readonly compliant: boolean | null;
  /** Of the whole snapshot. */
  readonly snapshotCompliant: boolean | null;
  /** Names of the flows in which it was known then, the first report's first. */
  readonly flows: readonly string[];
  /** In its first flow; null without provenance. */
  readonly artifactId: string | null;
  /** Id of the repository of its first flow. */
  readonly repo: string | null;
  /** Compares the commits of what ran before and of this, in its first flow. */
  readonly diffUrl: string | null;
}

export const environmentEvents: CollectionShape<EnvironmentEventRow> = {
  name: 'view_environment_events',
  deferred: 'first',
  indexes: [
    {
      name: 'by_number',
      fields: [
        ['environment', 'asc'],
        ['number', 'desc'],
      ],
    },
    {
      name: 'by_snapshot',
      fields: [
        ['environment', 'asc'],
        ['snapshot', 'desc'],
        ['number', 'desc'],
      ],
    },
    {
      name: 'by_repo',
      fields: [
        ['environment', 'asc'],
        ['repo', 'asc'],
        ['number', 'desc'],
      ],
    },
  ],
};

/** How many events an environment has up to a snapshot, this one included. */
export async function eventsUpTo(documents: Documents, environment: string, snapshot: number): Promise<number> {
  const [newest] = await documents.collection(environmentEvents).find({
    where: { environment, snapshot: { lte: snapshot } },
    order: [
      ['snapshot', 'desc'],
      ['number', 'desc'],
    ],
    limit: 1,
  });
  return newest?.doc.number ?? 0;
}
