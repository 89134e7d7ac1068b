import type { ChangeKind, JudgementReason } from '@assurance/contracts/environments/events';
import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { RecordedFlow } from '@assurance/flows/lookups/flow-names';
import { wordsCollection } from '@assurance/flows/read/words';
import type { Documents } from '@assurance/storage-ports';

/** One artifact that a snapshot shows otherwise than the one before it. Depends on the environment's stream alone. */
export interface EnvironmentEventRow {
  /** Id of the environment. */
  readonly environment: string;
  readonly snapshot: number;
  /** From 1, the environment's oldest: a page is found by it, however deep it lies. */
  readonly number: number;
  /** When the snapshot was observed: integer milliseconds. */
  readonly at: number;
  readonly fingerprint: string;
  readonly name: string;
  readonly change: ChangeKind;
  /** Left out as by the change. */
  readonly because?: JudgementReason;
  readonly was: number;
  readonly now: number;
  readonly compliant: boolean | null;
  /** Of the whole snapshot. */
  readonly snapshotCompliant: boolean | null;
  /** The flows in which it was known then, with their names of that time, the first report's first. */
  readonly flows: readonly RecordedFlow[];
  /** In its first flow; null without provenance. */
  readonly artifactId: string | null;
  /** Id of the repository of its first flow. */
  readonly repo: string | null;
  /** The comparison of the commits of the previous artifact and of this one, in its first flow. */
  readonly diffUrl: string | null;
}

export const environmentEvents: CollectionShape<EnvironmentEventRow> = {
  name: 'view_environment_events',
  deferred: 'first',
  ids: ['environment', 'repo'],
  indexes: [
    index('by_number', 'environment', '-number'),
    { ...index('by_repo', 'environment', 'repo', '-number'), only: 'repo' },
  ],
};

/** Words of tags of environments, as `tagWords` has those of others. */
export const environmentTagWords = wordsCollection('view_environment_tag_words');

/** The id of an event's row. Of the rows of a snapshot the one at place 0 has the highest number. */
export function eventId(environment: string, snapshot: number, place: number): string {
  return `${environment}/${snapshot}/${place}`;
}

/** How many snapshots are looked at together: hardly any is without events, so the first tells nearly always. */
const LOOK = 8;

/** How many events an environment has up to a snapshot, this one included. */
export async function eventsUpTo(documents: Documents, environment: string, snapshot: number): Promise<number> {
  const rows = documents.collection(environmentEvents);
  for (let newest = snapshot, look = 1; newest > 0; newest -= look, look = Math.min(LOOK * look, 1_000)) {
    const ids = Array.from({ length: Math.min(look, newest) }, (_, i) => eventId(environment, newest - i, 0));
    const results = await rows.getMany(ids);
    for (const id of ids) {
      const number = results.get(id)?.number;
      if (number !== undefined) return number;
    }
  }
  return 0;
}
