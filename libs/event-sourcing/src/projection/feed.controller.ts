import { isErasure, type OrganizationErased } from '@assurance/contracts/access/events';
import type { Commit } from '@assurance/storage-ports';
import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { COMMITS } from '../feed/feed-strategy';
import { eventsOf } from '../sealing/read';
import { PORTS, type Ports } from '../tokens';
import { BuildViews } from './build-views';
import { followViews } from './follow-views';
import { Generations } from './generations';
import { liveFollowers } from './live-followers';
import { recordChanges } from './note-changes';
import { SlowViews } from './slow-views';
import type { View } from './view';
import { CheckpointCache } from './view-checkpoints';
import { VIEWS } from './views';

/** The transports of this role's consumers. A transport distinguishes a consumer from others in the same process. */
export const PROJECTION_FEED = Symbol('projection');
export const SLOW_VIEWS_FEED = Symbol('slow views');

/** How often checkpoints are written while slower views still process the batch (milliseconds). */
const EARLY_MS = 250;

/** Follows the feed: updates the views, rebuilds views that hold rows of erased organizations, and notes which streams changed. */
@Controller()
export class FeedController {
  private readonly quickViews: readonly View[];
  private readonly checkpoints = new CheckpointCache();

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly generations: Generations,
    private readonly builds: BuildViews,
    private readonly slowViews: SlowViews,
    @Inject(VIEWS) private readonly views: readonly View[],
  ) {
    this.quickViews = views.filter(({ slow }) => slow !== true);
  }

  @EventPattern(COMMITS, PROJECTION_FEED)
  async follow(@Payload() batch: readonly Commit[]): Promise<void> {
    await this.take(batch);
    await recordChanges(this.ports.documents, batch);
    if (!(await this.endsErasure(batch))) return;
    await this.generations.noteErasure(this.views);
    this.builds.again();
  }

  @EventPattern(COMMITS, SLOW_VIEWS_FEED)
  followSlowly(@Payload() batch: readonly Commit[]): Promise<void> {
    return this.slowViews.follow(batch);
  }

  private async take(batch: readonly Commit[]): Promise<void> {
    const { followers, written } = await liveFollowers(this.generations, this.quickViews, this.checkpoints);
    // An error may be ignored here: `followViews` writes again at the end, and reports it then.
    const earlyTimer = setInterval(() => void written().catch(() => undefined), EARLY_MS);
    try {
      await followViews(this.ports.events, followers, batch, written);
    } finally {
      clearInterval(earlyTimer);
    }
  }

  /** Whether a commit records that the erasure of an organization is finished. */
  private async endsErasure(batch: readonly Commit[]): Promise<boolean> {
    for (const commit of batch) {
      if (!commit.events.some(isErasure)) continue;
      const events = (await eventsOf(this.ports.events, commit, (type) => isErasure({ type }))) as OrganizationErased[];
      if (events.some(({ data }) => data.record.leftOut !== null)) return true;
    }
    return false;
  }
}
