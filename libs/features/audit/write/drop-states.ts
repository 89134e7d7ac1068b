import { storedText } from '@assurance/event-sourcing/sealing/read';
import type { Commit, EventStore } from '@assurance/storage-ports';

const STATE = 'SnapshotStateKept';

/**
 * Removes the full states of an environment that no snapshot from a time on needs. It removes the oldest one first. So if one is gone, all older ones
 * are gone, even after a crash.
 *
 * @param before integer milliseconds. Snapshots from this time on can still be read
 */
export async function dropStates(events: EventStore, stream: string, before: number): Promise<void> {
  const commits: Commit[] = [];
  let snapshot = (await events.asOf(stream, before - 1))?.index?.full ?? 0;
  while (snapshot > 1) {
    const { full = 0 } = (await events.bySnapshot(stream, snapshot - 1))?.index ?? {};
    const commit = full === 0 ? null : await events.bySnapshot(stream, full);
    const state = commit?.events.find(({ type }) => type === STATE);
    if (commit === null || state === undefined || (await storedText(events, commit, state)) === null) break;
    commits.push(commit);
    snapshot = full;
  }
  for (const commit of commits.reverse()) {
    const digests = commit.events.flatMap(({ type, digest }) => (type === STATE ? [digest] : []));
    await events.dropData(stream, commit.seq, digests);
  }
}
