import { kindOf } from '@assurance/contracts-events';
import { COMMITS } from '@assurance/http';
import { grouped } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import { CHECKPOINTS } from '@assurance/storage-records';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { JudgingWorker } from './judging/judging-worker';
import { Joining } from './access/joining';
import { Streams } from './core/streams';
import { aggregates } from './aggregates';

/** Tells this role's consumer from others in the process. */
export const INGESTION_FEED = Symbol('ingestion');

/** Follows the feed, to write aggregate states that a crash left behind, and to enqueue environments that are due. */
@Controller()
export class AggregateStatesController {
  constructor(
    private readonly streams: Streams,
    private readonly judging: JudgingWorker,
    private readonly joining: Joining,
  ) {}

  @EventPattern(COMMITS, INGESTION_FEED)
  async follow(@Payload() batch: readonly Commit[]): Promise<void> {
    await writeMissingStates(this.streams, batch);
    // This comes second, so that all documents of a commit are written before they are read.
    await this.judging.follow(batch);
    await this.joining.follow(batch);
  }
}

/**
 * Writes aggregate states that are behind, because a process may die between its commit and the write. Reads the states of a kind
 * together; most are current. The process keeps no list of the states it wrote, because a write may be refused after a repair.
 *
 * @param batch at most 1,000 commits, of known kinds
 */
async function writeMissingStates(streams: Streams, batch: readonly Commit[]): Promise<void> {
  const newest = new Map<string, number>();
  for (const { stream, seq } of batch) {
    if (stream !== CHECKPOINTS) newest.set(stream, Math.max(seq, newest.get(stream) ?? 0));
  }
  await streams.projected(newest.keys());
  for (const [kind, its] of grouped(newest.keys(), kindOf)) {
    const aggregate = aggregates.get(kind);
    if (aggregate === undefined) throw new Error(`no stream of kind ${kind} can be folded`);
    const states = await streams.states(aggregate).getMany(its);
    for (const stream of its) {
      const state = states.get(stream);
      const behind =
        state === undefined || state.seq < (newest.get(stream) ?? 0) || state.fold < aggregate.schemaVersion;
      if (behind) await streams.load(aggregate, stream);
    }
  }
}
