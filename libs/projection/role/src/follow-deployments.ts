import { kindOf } from '@assurance/contracts-events';
import { follow, type Followed, FOLLOWED } from '@assurance/projection-views';
import type { Commit, Engines } from '@assurance/storage-ports';
import { commitsOf, eventsOf, metaOf } from '@assurance/storage-records';
import type { Progress } from './progress';

export const DEPLOYMENTS = 'deployments';
/** Streams that the view is made of. */
export const FOLLOWED_KINDS: ReadonlySet<string> = new Set(['environment', 'trail', 'artifact']);
/** How many streams are followed at once. */
const ABREAST = 8;

/**
 * Takes a batch of the feed into the deployments view, streams abreast, each in its own order. Repeats are passed over; commits that are
 * missing in between are read from the store.
 */
export async function followDeployments(
  { events, documents }: Pick<Engines, 'events' | 'documents'>,
  progress: Progress,
  batch: readonly Commit[],
): Promise<void> {
  const streams = new Map<string, Commit[]>();
  for (const commit of batch) {
    if (!FOLLOWED_KINDS.has(kindOf(commit.stream))) continue;
    const commits = streams.get(commit.stream);
    if (commits === undefined) streams.set(commit.stream, [commit]);
    else commits.push(commit);
  }
  const all = [...streams];
  for (let i = 0; i < all.length; i += ABREAST) {
    const some = all.slice(i, i + ABREAST);
    const reached = await progress.of(
      DEPLOYMENTS,
      some.map(([stream]) => stream),
    );
    await Promise.all(some.map(([stream, commits]) => followStream(stream, commits, reached(stream))));
  }

  async function followStream(stream: string, commits: readonly Commit[], from: number): Promise<void> {
    let seq = from;
    for (const commit of commits) {
      if (commit.seq <= seq) continue;
      if (commit.seq > seq + 1) {
        for await (const missing of commitsOf(events, stream, seq + 1, commit.seq - 1)) await take(missing);
      }
      await take(commit);
      seq = commit.seq;
    }
    if (seq > from) await progress.reach(DEPLOYMENTS, stream, seq);
  }

  async function take(commit: Commit): Promise<void> {
    const followed = await eventsOf(events, commit, (type) => FOLLOWED.has(type));
    for (const event of followed) await follow(documents, event as Followed, metaOf(commit));
  }
}
