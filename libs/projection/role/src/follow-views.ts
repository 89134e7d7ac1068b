import { type DomainEvent, kindOf } from '@assurance/contracts-events';
import type { Commit, EventStore } from '@assurance/storage-ports';
import { commitsOf, eventsOf, metaOf } from '@assurance/storage-records';
import type { Generation } from './generations';

/** How many streams are followed at once. */
const ABREAST = 8;

/** A generation that follows, and what is done about an event that it cannot take. */
export interface Follower extends Generation {
  readonly failed: (stream: string, error: unknown) => Promise<void>;
}

/**
 * Takes a batch of commits into generations of views, streams abreast, each in its own order. Each has its own progress: repeats are passed over,
 * commits that are missing in between are read from the store.
 *
 * @throws what a view threw and `failed` throws on, when all have taken what they can: the stream is then parked for all of them
 */
export async function followViews(
  events: Pick<EventStore, 'read' | 'readData'>,
  followers: readonly Follower[],
  batch: readonly Commit[],
): Promise<void> {
  const wanted = (type: string) => followers.some(({ view }) => view.types.has(type));
  const all = [...byStream(batch)].filter(([stream]) => followers.some(({ view }) => view.kinds.has(kindOf(stream))));
  for (let i = 0; i < all.length; i += ABREAST) {
    const some = all.slice(i, i + ABREAST);
    const streams = some.map(([stream]) => stream);
    const reached = await Promise.all(followers.map(({ progress }) => progress.of(streams)));
    const followed = await Promise.allSettled(
      some.flatMap(([stream, commits]) => {
        const eventsIn = once((commit: Commit) => eventsOf(events, commit, wanted));
        return followers.map(async (follower, i) => {
          if (!follower.view.kinds.has(kindOf(stream))) return;
          try {
            await followStream(follower, stream, commits, reached[i]?.(stream) ?? 0, eventsIn);
          } catch (error) {
            await follower.failed(stream, error);
          }
        });
      }),
    );
    const failed = followed.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async function followStream(
    { view, documents, progress }: Follower,
    stream: string,
    commits: readonly Commit[],
    from: number,
    eventsIn: (commit: Commit) => Promise<DomainEvent[]>,
  ): Promise<void> {
    let seq = from;
    for (const commit of commits) {
      if (commit.seq <= seq) continue;
      if (commit.seq > seq + 1) {
        for await (const missing of commitsOf(events, stream, seq + 1, commit.seq - 1)) {
          await take(missing, await eventsOf(events, missing, (type) => view.types.has(type)));
        }
      }
      await take(commit, await eventsIn(commit));
      seq = commit.seq;
    }
    if (seq > from) await progress.reach(stream, seq);

    async function take(commit: Commit, all: readonly DomainEvent[]): Promise<void> {
      for (const event of all) if (view.types.has(event.type)) await view.take(documents, event, metaOf(commit));
    }
  }
}

function byStream(batch: readonly Commit[]): Map<string, Commit[]> {
  const streams = new Map<string, Commit[]>();
  for (const commit of batch) {
    const commits = streams.get(commit.stream);
    if (commits === undefined) streams.set(commit.stream, [commit]);
    else commits.push(commit);
  }
  return streams;
}

/** Reads each commit's data once for all views, and keeps only that of the newest one asked for. */
function once<T>(read: (commit: Commit) => Promise<T>): (commit: Commit) => Promise<T> {
  let kept: { readonly commit: Commit; readonly value: Promise<T> } | null = null;
  return (commit) => {
    if (kept?.commit !== commit) kept = { commit, value: read(commit) };
    return kept.value;
  };
}
