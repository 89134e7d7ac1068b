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
import { noteChanges } from './note-changes';
import type { View } from './view';
import { CheckpointCache } from './view-checkpoints';
import { VIEWS } from './views';

/** Tells this role's consumer from others in the process. */
export const PROJECTION_FEED = Symbol('projection');

/** How long views that have taken a batch wait for slower ones before their checkpoints are written (milliseconds). */
const EARLY_MS = 250;

/** Follows the feed, to keep the views, without those of erased organizations, and to note what changed. */
@Controller()
export class FeedController {
  private readonly checkpoints = new CheckpointCache();

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly generations: Generations,
    private readonly builds: BuildViews,
    @Inject(VIEWS) private readonly views: readonly View[],
  ) {}

  @EventPattern(COMMITS, PROJECTION_FEED)
  async follow(@Payload() batch: readonly Commit[]): Promise<void> {
    const { followers, written } = await liveFollowers(this.generations, this.views, this.checkpoints);
    // The last write reports what failed.
    const early = setInterval(() => void written().catch(() => undefined), EARLY_MS);
    try {
      await followViews(this.ports.events, followers, batch, written);
    } finally {
      clearInterval(early);
    }
    await noteChanges(this.ports.documents, batch);
    if (!(await this.endsErasure(batch))) return;
    await this.generations.noteErasure(this.views);
    this.builds.again();
  }

  /** Whether a commit says that all of an organization is erased. */
  private async endsErasure(batch: readonly Commit[]): Promise<boolean> {
    for (const commit of batch) {
      if (!commit.events.some(isErasure)) continue;
      const events = (await eventsOf(this.ports.events, commit, (type) => isErasure({ type }))) as OrganizationErased[];
      if (events.some(({ data }) => data.record.leftOut !== null)) return true;
    }
    return false;
  }
}
