import type { Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import { streams } from '@assurance/contracts/events/streams';
import { eventsOf, observedAtOfCommit, snapshotCommits } from '@assurance/event-sourcing/sealing/read';
import { Slices } from '@assurance/kernel';
import type { EventStore } from '@assurance/storage-ports';
import { type Snapshot, SnapshotReplay } from '../../domain/snapshot';

/** A snapshot that was read, and when it was observed (integer milliseconds). */
export interface ReadSnapshot {
  readonly snapshot: Snapshot;
  readonly at: number;
}

/**
 * Reads a snapshot in bounded work.
 *
 * @returns null when the environment has no such snapshot, `dropped` when retention dropped the full state that it builds on
 */
export async function readSnapshot(
  store: EventStore,
  environment: Pick<Environment, 'id'>,
  index: number,
): Promise<ReadSnapshot | 'dropped' | null> {
  const commits = await snapshotCommits(store, streams.environment(environment.id), index);
  if (commits === null) return null;
  const replay = new SnapshotReplay();
  const slices = new Slices();
  let at = 0;
  for await (const commit of commits) {
    for (const event of (await eventsOf(store, commit)) as EnvironmentEvent[]) {
      replay.apply(event);
      await slices.pause();
    }
    at = observedAtOfCommit(commit);
    if (replay.dropped) return 'dropped';
  }
  return { snapshot: replay.result(), at };
}
