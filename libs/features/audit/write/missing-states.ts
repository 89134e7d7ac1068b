import { kindOf } from '@assurance/contracts/events/streams';
import { CHECKPOINTS } from '@assurance/event-sourcing/checkpoints/checkpoint';
import type { Streams } from '@assurance/event-sourcing/command/streams';
import { groupBy } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import { aggregates } from '../domain/aggregates';

/**
 * Writes aggregate states that are behind, because a process may die between its commit and the write. Reads the states of a kind together; most are
 * current. The process keeps no list of the states it wrote, because a write may be refused after a repair.
 *
 * @param batch at most 1,000 commits, of known kinds
 * @returns the states by stream. They include at least the commits of the batch
 */
export async function writeMissingStates(
  streams: Streams,
  batch: readonly Commit[],
): Promise<ReadonlyMap<string, object>> {
  const newest = new Map<string, number>();
  for (const { stream, seq } of batch) {
    if (stream !== CHECKPOINTS) newest.set(stream, Math.max(seq, newest.get(stream) ?? 0));
  }
  await streams.waitForProjections(newest.keys());
  const current = new Map<string, object>();
  for (const [kind, its] of groupBy(newest.keys(), kindOf)) {
    const aggregate = aggregates.get(kind);
    if (aggregate === undefined) throw new Error(`no stream of kind ${kind} can be folded`);
    const states = await streams.states(aggregate).getMany(its);
    for (const stream of its) {
      const state = states.get(stream);
      const behind =
        state === undefined || state.seq < (newest.get(stream) ?? 0) || state.fold < aggregate.schemaVersion;
      const currentState = behind ? (await streams.load(aggregate, stream)).state : state;
      if (currentState !== null) current.set(stream, currentState);
    }
  }
  return current;
}
