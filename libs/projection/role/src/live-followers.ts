import type { View } from '@assurance/projection-views';
import { StoreFull, StoreUnavailable } from '@assurance/storage-ports';
import type { Follower } from './follow-views';
import type { Generations } from './generations';

/**
 * Who takes the batches that begin now: of each view the generation that serves, and one that is being built and has joined. What the latter
 * cannot take keeps it from ever serving, and holds up nobody else.
 */
export async function liveFollowers(generations: Generations, views: readonly View[]): Promise<Follower[]> {
  const standing = await generations.standing(views);
  return views.flatMap((view) => {
    const { serving, building, joined } = standing(view);
    const followers: Follower[] = [{ ...generations.open(view, serving), failed: thrown }];
    if (building !== null && joined) {
      const failed = async (stream: string, error: unknown) => {
        // The whole batch comes again.
        if (error instanceof StoreUnavailable || error instanceof StoreFull) throw error;
        // It may serve by now, or be gone: then the batch comes again, to whoever serves.
        if (!(await generations.fail(view, building, whyNot(stream, error)))) throw error;
      };
      followers.push({ ...generations.open(view, building), failed });
    }
    return followers;
  });
}

function thrown(_stream: string, error: unknown): Promise<void> {
  return Promise.reject(error instanceof Error ? error : new Error(String(error)));
}

/** Why a generation lacks an event. */
export function whyNot(stream: string, error: unknown): string {
  return `${stream} could not be followed: ${String(error).slice(0, 500)}`;
}
