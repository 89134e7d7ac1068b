import { FollowUpCommits } from '@assurance/access/write/joining';
import { JudgingWorker } from '@assurance/environments/write/judging/judging-worker';
import { WatchSilence } from '@assurance/environments/write/silence/watch-silence';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { COMMITS } from '@assurance/event-sourcing/feed/feed-strategy';
import { ExposureWorker } from '@assurance/vulnerabilities/write/exposure-worker';
import type { Commit } from '@assurance/storage-ports';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { writeMissingStates } from './missing-states';

/** Identifies the consumer of this role among the consumers of the process. */
export const INGESTION_FEED = Symbol('ingestion');

/** Consumes the feed. It writes aggregate states that are behind after a crash, and enqueues environments that are due. */
@Controller()
export class AggregateStatesController {
  constructor(
    private readonly streams: Streams,
    private readonly judgingWorker: JudgingWorker,
    private readonly followUpCommits: FollowUpCommits,
    private readonly silence: WatchSilence,
    private readonly exposures: ExposureWorker,
  ) {}

  @EventPattern(COMMITS, INGESTION_FEED)
  async follow(@Payload() batch: readonly Commit[]): Promise<void> {
    const states = await writeMissingStates(this.streams, batch);
    // This comes second, so that all documents of a commit are written before they are read.
    await this.judgingWorker.follow(batch);
    await this.followUpCommits.follow(batch);
    await this.silence.follow(states);
    await this.exposures.follow(batch);
  }
}
