import { streams } from '@assurance/contracts-events';
import { type Environment } from '@assurance/model';
import type { EventStore } from '@assurance/storage-ports';
import type { SnapshotExpression } from './expression';

/**
 * The index that an expression means: one that the environment has, or what the error shows. Before the first snapshot it is 0; after the
 * latest, in time, it is the latest.
 */
export async function resolveExpression(
  store: Pick<EventStore, 'asOf'>,
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
 * The snapshot in force at a time, 0 before the first.
 *
 * @param at integer milliseconds
 */
export async function snapshotAt(
  store: Pick<EventStore, 'asOf'>,
  { id, snapshot }: Pick<Environment, 'id' | 'snapshot'>,
  at: number,
): Promise<number> {
  const commit = await store.asOf(streams.environment(id), at);
  // The aggregate state that says how many snapshots there are may be older than the newest commit.
  return Math.min(commit?.index?.snapshot ?? 0, snapshot);
}
