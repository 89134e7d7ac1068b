import { type DomainEvent, kindOf } from '@assurance/contracts-events';
import type { View } from '@assurance/projection-views';
import type { Commit, Engines } from '@assurance/storage-ports';
import { commitsOf, eventsOf, metaOf } from '@assurance/storage-records';
import type { Progress } from './progress';

/** How many streams are followed at once. */
const ABREAST = 8;

/**
 * Takes a batch of the feed into the views, streams abreast, each in its own order. Each view has its own progress: repeats are passed over,
 * commits that are missing in between are read from the store.
 *
 * @throws what a view threw, when all views have taken what they can: the stream is then parked for all of them
 */
export async function followViews(
  { events, documents }: Pick<Engines, 'events' | 'documents'>,
  progress: Progress,
  views: readonly View[],
  batch: readonly Commit[],
): Promise<void> {
  const wanted = (type: string) => views.some(({ types }) => types.has(type));
  const all = [...byStream(batch)].filter(([stream]) => views.some(({ kinds }) => kinds.has(kindOf(stream))));
  for (let i = 0; i < all.length; i += ABREAST) {
    const some = all.slice(i, i + ABREAST);
    const streams = some.map(([stream]) => stream);
    const reached = await Promise.all(views.map(({ name }) => progress.of(name, streams)));
    const followed = await Promise.allSettled(
      some.flatMap(([stream, commits]) => {
        const eventsIn = once((commit: Commit) => eventsOf(events, commit, wanted));
        return views
          .filter(({ kinds }) => kinds.has(kindOf(stream)))
          .map((view) => followStream(view, stream, commits, reached[views.indexOf(view)]?.(stream) ?? 0, eventsIn));
      }),
    );
    const failed = followed.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async function followStream(
    view: View,
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
          await take(view, missing, await eventsOf(events, missing, (type) => view.types.has(type)));
        }
      }
      await take(view, commit, await eventsIn(commit));
      seq = commit.seq;
    }
    if (seq > from) await progress.reach(view.name, stream, seq);
  }

  async function take(view: View, commit: Commit, all: readonly DomainEvent[]): Promise<void> {
    for (const event of all) if (view.types.has(event.type)) await view.take(documents, event, metaOf(commit));
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
