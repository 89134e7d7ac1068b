import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '../tokens';
import { Generations, holdsErased, isCurrent } from './generations';
import { RebuildView } from './rebuild-view';
import type { View } from './view';
import { VIEWS } from './views';

/** How often a view that has to be built is checked (milliseconds). */
const STEP_MS = 1_000;
/** The pause after a failed build, and the time that a build in another process gets before this process starts one (milliseconds). */
const AGAIN_MS = 60_000;
const LEFT_TO_ANOTHER_MS = 3_600_000;

/**
 * Builds each view that this version needs and the data folder lacks: a new view, or a view that an older version built. The service runs meanwhile.
 * Queries of the view wait briefly and are then refused; they never read rows of an older version. A view that holds rows of an erased
 * organization is built again while it serves.
 */
@Injectable()
export class BuildViews implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopController = new AbortController();
  private currentBuild: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly generations: Generations,
    private readonly rebuild: RebuildView,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(VIEWS) private readonly views: readonly View[],
  ) {}

  onApplicationBootstrap(): void {
    this.currentBuild = this.buildAll();
  }

  /** Starts to build again the views that hold rows of an erased organization. Returns before they are built. */
  again(): void {
    this.currentBuild = this.currentBuild.then(() => this.buildAll());
  }

  /** Abandons an unfinished build. The next start builds the view. */
  async onApplicationShutdown(): Promise<void> {
    this.stopController.abort();
    await this.currentBuild;
  }

  private buildAll(): Promise<unknown> {
    return Promise.all(this.views.map((view) => this.build(view)));
  }

  private async build(view: View): Promise<void> {
    const { signal } = this.stopController;
    let waitedMs = Infinity;
    while (!signal.aborted) {
      try {
        const generation = (await this.generations.current([view]))(view);
        if (isCurrent(view, generation) && !holdsErased(generation)) return;
        if (waitedMs >= (generation.building === null ? AGAIN_MS : LEFT_TO_ANOTHER_MS)) {
          waitedMs = 0;
          const { ok, summary } = await this.rebuild.rebuild(view, () => undefined, signal);
          if (!ok && !signal.aborted) this.logger.warn({ view: view.name }, summary);
          if (ok) this.logger.info({ view: view.name }, summary);
          if (ok) return;
        }
      } catch (err) {
        this.logger.error({ err, view: view.name }, 'a view could not be built; the service tries again');
      }
      waitedMs += STEP_MS;
      await setTimeout(STEP_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
