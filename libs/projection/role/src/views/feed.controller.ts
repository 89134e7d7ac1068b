import { COMMITS, PORTS, type Ports } from '@assurance/http';
import type { Commit } from '@assurance/storage-ports';
import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { followViews } from './follow-views';
import { Generations } from './generations';
import { liveFollowers } from './live-followers';
import { noteChanges } from './note-changes';
import { VIEWS } from './view';

/** Tells this role's consumer from others in the process. */
export const PROJECTION_FEED = Symbol('projection');

/** Follows the feed, to keep the views and to note what changed. */
@Controller()
export class FeedController {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly generations: Generations,
  ) {}

  @EventPattern(COMMITS, PROJECTION_FEED)
  async follow(@Payload() batch: readonly Commit[]): Promise<void> {
    await followViews(this.ports.events, await liveFollowers(this.generations, VIEWS), batch);
    await noteChanges(this.ports.documents, batch);
  }
}
