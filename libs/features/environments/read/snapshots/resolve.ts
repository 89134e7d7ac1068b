import type { Environment } from '@assurance/contracts/environments/documents';
import { streams } from '@assurance/contracts/events/streams';
import { observedAtOfCommit } from '@assurance/event-sourcing/sealing/read';
import type { EventStore } from '@assurance/storage-ports';
import type { SnapshotExpression } from './expression';

/** What finds snapshots by time. */
export type SnapshotTimes = Pick<EventStore, 'asOf' | 'bySnapshot'>;

/**
 * The index that an expression means: one that the environment has, or what the error shows. Before the first snapshot it is 0; after the
 * latest, in time, it is the latest.
 */
export async function resolveExpression(
  store: SnapshotTimes,
  environment: Pick<Environment, 'id' | 'snapshot'>,
  expression: SnapshotExpression,
): Promise<number> {
  switch (expression.kind) {
    case 'index':
      return expression.index;
    case 'behind':
      return environment.snapshot - expression.behind;
    case 'time':
      return snapshotAt(store, environment, expression.at);
  }
}

/**
 * The snapshot in force at a time, 0 before the first. Observed times of snapshots never decrease, and none is later than its commit.
 *
 * @param at integer milliseconds
 */
export async function snapshotAt(
  store: SnapshotTimes,
  { id, snapshot }: Pick<Environment, 'id' | 'snapshot'>,
  at: number,
): Promise<number> {
  const stream = streams.environment(id);
  const commit = await store.asOf(stream, at);
  // The aggregate state that says how many snapshots there are may be older than the newest commit.
  let [inForce, later] = [Math.min(commit?.index?.snapshot ?? 0, snapshot), snapshot + 1];
  // Only history was observed long before its commit, so the first look mostly ends it.
  for (let look = inForce + 1; later - inForce > 1; look = Math.floor((inForce + later) / 2)) {
    const next = await store.bySnapshot(stream, look);
    if (next !== null && observedAtOfCommit(next) <= at) inForce = look;
    else later = look;
  }
  return inForce;
}
