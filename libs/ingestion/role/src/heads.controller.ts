import { COMMITS } from '@assurance/http';
import type { Commit } from '@assurance/storage-ports';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { JudgeDue } from './due/judge-due';
import { keepHeads } from './keep-heads';
import { Joining } from './access/joining';
import { Streams } from './streams';

/** Tells this role's consumer from others in the process. */
export const INGESTION_FEED = Symbol('ingestion');

/** Follows the feed, to write heads that a crash left behind, and to mark environments that are due. */
@Controller()
export class HeadsController {
  constructor(
    private readonly streams: Streams,
    private readonly due: JudgeDue,
    private readonly joining: Joining,
  ) {}

  @EventPattern(COMMITS, INGESTION_FEED)
  async follow(@Payload() batch: readonly Commit[]): Promise<void> {
    await keepHeads(this.streams, batch);
    // Second: what a commit leaves beside it is there before anybody looks for it.
    await this.due.follow(batch);
    await this.joining.follow(batch);
  }
}
