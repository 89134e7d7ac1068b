import { setTimeout } from 'node:timers/promises';
import type { FeedStrategy } from '@assurance/event-sourcing/feed/feed-strategy';
import type { Clock, Logger } from '@assurance/event-sourcing/tokens';
import type { EmbeddedEngines } from '@assurance/storage-sqlite';

/** The longest wait (milliseconds). If commits remain after it, they are processed while requests are served. */
const LONGEST_MS = 2_000;
const STEP_MS = 5;
/** How often a long wait is logged (milliseconds). */
const TOLD_MS = 5_000;

/** Engines that may have lost documents and rebuild them from commits, and that keep room for the next start. */
export type RestorableEngines = Partial<Pick<EmbeddedEngines, 'restoring' | 'restored' | 'keepReserve'>>;

/**
 * Waits until consumers have processed the commits from before a crash, because commands read documents that consumers write. If these
 * documents were lost, it waits without a limit until all commits are processed, because answers would be wrong before that.
 */
export async function catchUp(
  groups: readonly Pick<FeedStrategy, 'group' | 'lag' | 'isFollowing'>[],
  { restoring = null, restored }: RestorableEngines,
  logger: Pick<Logger, 'warn'>,
  { steady }: Pick<Clock, 'steady'>,
): Promise<void> {
  const longest = restoring === null ? LONGEST_MS : Infinity;
  if (restoring !== null) logger.warn({ reason: restoring }, 'derived documents are made again from all commits');
  const start = steady();
  let toldAt = -Infinity;
  while (steady() - start < longest) {
    const lags = await Promise.all(
      groups.map(async (group) => [group.group, group.isFollowing ? await group.lag() : 0]),
    );
    if (lags.every(([, lag]) => lag === 0)) {
      if (restoring !== null && groups.every(({ isFollowing }) => isFollowing)) await restored?.();
      return;
    }
    if (restoring !== null && steady() - toldAt >= TOLD_MS) {
      toldAt = steady();
      logger.warn(
        { commits: Object.fromEntries(lags) as unknown },
        'the service is not ready yet: commits are still to be processed',
      );
    }
    await setTimeout(STEP_MS);
  }
}
