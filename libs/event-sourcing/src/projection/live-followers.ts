import { StoreFull, StoreUnavailable } from '@assurance/storage-ports';
import type { Follower } from './follow-views';
import type { Generation, Generations } from './generations';
import type { View } from './view';
import type { CheckpointCache } from './view-checkpoints';

/** The followers that process a batch. */
interface LiveFollowers {
  readonly followers: readonly Follower[];
  /** Writes the checkpoints that the followers have reached so far. May be called before all of them have ended. */
  readonly written: () => Promise<void>;
}

/**
 * The generations that process the next batch: for each view the serving one, and one that is being built and has joined. If the one
 * being built cannot process an event, it will never serve, and it delays no other. A serving generation of an earlier version delays no
 * other either.
 *
 * @param cache the cache of their checkpoints in this process
 */
export async function liveFollowers(
  generations: Generations,
  views: readonly View[],
  cache: CheckpointCache,
): Promise<LiveFollowers> {
  const currentOf = await generations.current(views);
  const checkpoints = generations.batch(new Map(views.map((view) => [view.name, currentOf(view).serving])));
  const all = views.flatMap((view) => {
    const { serving, version = view.version, building, joined } = currentOf(view);
    const followers: (Generation & Pick<Follower, 'failed'>)[] = [
      { ...generations.open(view, serving), failed: version < view.version ? unlessStoreFailed : rethrow },
    ];
    if (building !== null && joined) {
      const failed = async (stream: string, error: unknown) => {
        // The feed delivers the whole batch again.
        if (error instanceof StoreUnavailable || error instanceof StoreFull) throw error;
        // The generation may serve by now, or may have been dropped. Then the feed delivers the batch again.
        if (!(await generations.fail(view, building, failureReason(stream, error)))) throw error;
      };
      followers.push({ ...generations.open(view, building), failed });
    }
    return followers;
  });
  cache.keep(all.map(nameOf));
  return {
    followers: all.map((follower) => ({
      ...follower,
      checkpoints: cache.over(nameOf(follower), follower, checkpoints),
    })),
    written: () => checkpoints.write(),
  };
}

function nameOf({ view, number }: Pick<Generation, 'view' | 'number'>): string {
  return `${view.name}/${number}`;
}

function rethrow(_stream: string, error: unknown): Promise<void> {
  return Promise.reject(error instanceof Error ? error : new Error(String(error)));
}

/**
 * Ignores events that a generation of an earlier version of its view cannot process, because its rows may lack what this version needs. Only
 * instances of the earlier release read that generation, until they end. Failures of the store are thrown.
 */
function unlessStoreFailed(_stream: string, error: unknown): Promise<void> {
  return error instanceof StoreUnavailable || error instanceof StoreFull ? Promise.reject(error) : Promise.resolve();
}

/** Why a generation lacks an event. */
export function failureReason(stream: string, error: unknown): string {
  return `${stream} could not be followed: ${String(error).slice(0, 500)}`;
}
