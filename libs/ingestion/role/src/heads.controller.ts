import { COMMITS, UnknownEvent } from '@assurance/http';
import type { Commit } from '@assurance/storage-ports';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { JudgeDue } from './due/judge-due';
import { keepHeads } from './keep-heads';
import { Streams } from './streams';

/** Tells this role's consumer from others in the process. */
export const INGESTION_FEED = Symbol('ingestion');

/** Follows the feed, to write heads that a crash left behind, and to mark environments that are due. */
@Controller()
export class HeadsController {
  constructor(
    private readonly streams: Streams,
    private readonly due: JudgeDue,
  ) {}

  @EventPattern(COMMITS, INGESTION_FEED)
  async follow(@Payload() batch: readonly Commit[]): Promise<void> {
    const [unknown] = await keepHeads(this.streams, batch);
    if (unknown !== undefined) throw new UnknownEvent(unknown, 1);
    // Second: what a commit leaves beside it is there before anybody looks for it.
    await this.due.follow(batch);
  }
}
