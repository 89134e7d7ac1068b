import type { DomainEvent } from '@assurance/contracts/events/event';
import { kindOf } from '@assurance/contracts/events/streams';
import { getOrInsert, groupBy, pieces } from '@assurance/kernel';
import { type Commit, type EventStore, StoreFull, StoreUnavailable } from '@assurance/storage-ports';
import { commitsOf, eventsOf, metaOf } from '../sealing/read';
import type { Generation } from './generations';
import type { RecordedEvent } from './view';
import type { StreamProgress } from './view-checkpoints';

/** How many streams are processed at the same time when streams are processed separately. */
const ABREAST = 8;
/** Limits of one group: commits, and bytes of event data. One commit may exceed them. Environments share fingerprints, so large groups read fewer. */
const TOGETHER = 500;
const TOGETHER_BYTES = 4 * 1024 * 1024;

/** A generation that follows the feed, and its handler for events that it cannot process. */
export interface Follower extends Omit<Generation, 'checkpoints'> {
  readonly checkpoints: StreamProgress;
  readonly failed: (stream: string, error: unknown) => Promise<void>;
}

type Store = Pick<EventStore, 'read' | 'readData'>;
type EventsOfCommit = (commit: Commit) => Promise<DomainEvent[]>;

/**
 * Folds a batch of commits into generations of views: all streams together, each in order. Each stream has its own checkpoint, so
 * repeats are skipped. Two kinds of streams are processed separately, so that a fault in one delays no other: streams with missing
 * commits, which are read from the store, and streams of a group that failed as a whole.
 *
 * @param written is called for each part of the batch, after every generation processed it or failed
 * @throws the error of a view, or of `failed`, after all others are processed; the stream is then parked for all of them
 */
export async function followViews(
  events: Store,
  followers: readonly Follower[],
  batch: readonly Commit[],
  written: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const isFollowed = (type: string) => followers.some(({ view }) => view.types.has(type));
  const failures: unknown[] = [];
  for (const commits of portions(batch)) {
    const eventsIn = memoize((commit: Commit) => eventsOf(events, commit, isFollowed));
    const followed = await Promise.allSettled(followers.map((follower) => follow(events, follower, commits, eventsIn)));
    const [writing] = await Promise.allSettled([written()]);
    for (const outcome of [...followed, writing]) if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  if (failures.length > 0) throw failures[0];
}

async function follow(
  events: Store,
  follower: Follower,
  batch: readonly Commit[],
  eventsIn: EventsOfCommit,
): Promise<void> {
  const { view, documents, checkpoints, failed } = follower;
  const own = batch.filter(({ stream }) => view.kinds.has(kindOf(stream)));
  const all = groupBy(own, ({ stream }) => stream);
  if (all.size === 0) return;
  const from = await checkpoints.before(new Map([...all].map(([stream, [first]]) => [stream, first.seq])));
  const alone = new Map<string, Commit[]>();
  const together = new Set<Commit>();
  const reached = new Map<string, number>();
  for (const [stream, commits] of all) {
    const fresh = newCommitsOf(commits, from(stream));
    const last = fresh?.at(-1);
    if (fresh === null) alone.set(stream, commits);
    else if (last !== undefined) {
      for (const commit of fresh) together.add(commit);
      reached.set(stream, last.seq);
    }
  }
  try {
    const recorded: RecordedEvent[] = [];
    for (const commit of batch) if (together.has(commit)) recorded.push(...of(commit, await eventsIn(commit)));
    if (recorded.length > 0) await view.take(documents, recorded);
    await checkpoints.advance(reached);
  } catch (error) {
    const [first] = reached.keys();
    // The store failed, not a stream. Trying each stream separately would only take longer.
    if (first !== undefined && (error instanceof StoreUnavailable || error instanceof StoreFull)) {
      return failed(first, error);
    }
    for (const stream of reached.keys()) alone.set(stream, all.get(stream) ?? []);
  }
  await followAlone(alone);

  async function followAlone(streams: ReadonlyMap<string, readonly Commit[]>): Promise<void> {
    const failures: unknown[] = [];
    for (const some of pieces([...streams], ABREAST)) {
      const followed = await Promise.allSettled(
        some.map(async ([stream, commits]) => {
          try {
            await followStream(stream, commits);
          } catch (error) {
            await failed(stream, error);
          }
        }),
      );
      for (const outcome of followed) if (outcome.status === 'rejected') failures.push(outcome.reason);
    }
    if (failures.length > 0) throw failures[0];
  }

  async function followStream(stream: string, commits: readonly Commit[]): Promise<void> {
    const start = from(stream);
    let seq = start;
    for (const commit of commits) {
      if (commit.seq <= seq) continue;
      for await (const missing of commitsOf(events, stream, seq + 1, commit.seq - 1)) {
        await take(missing, await eventsOf(events, missing, (type) => view.types.has(type)));
      }
      await take(commit, await eventsIn(commit));
      seq = commit.seq;
    }
    if (seq > start) await checkpoints.advance(new Map([[stream, seq]]));
  }

  async function take(commit: Commit, its: readonly DomainEvent[]): Promise<void> {
    const recorded = of(commit, its);
    if (recorded.length > 0) await view.take(documents, recorded);
  }

  function of(commit: Commit, its: readonly DomainEvent[]): RecordedEvent[] {
    const meta = metaOf(commit);
    return its.filter(({ type }) => view.types.has(type)).map((event) => ({ event, meta }));
  }
}

/** The commits after a seq, without repeats; null when there is a gap. */
function newCommitsOf(commits: readonly Commit[], from: number): Commit[] | null {
  const fresh: Commit[] = [];
  let seq = from;
  for (const commit of commits) {
    if (commit.seq <= seq) continue;
    if (commit.seq > seq + 1) return null;
    fresh.push(commit);
    seq = commit.seq;
  }
  return fresh;
}

/** The bytes of the events of a commit. */
export function bytesOf({ events }: Pick<Commit, 'events'>): number {
  return events.reduce((sum, { size }) => sum + size, 0);
}

function portions(batch: readonly Commit[]): (readonly Commit[])[] {
  const all: (readonly Commit[])[] = [];
  let portion: Commit[] = [];
  let bytes = 0;
  for (const commit of batch) {
    const own = bytesOf(commit);
    if (portion.length > 0 && (portion.length >= TOGETHER || bytes + own > TOGETHER_BYTES)) {
      all.push(portion);
      [portion, bytes] = [[], 0];
    }
    portion.push(commit);
    bytes += own;
  }
  return portion.length > 0 ? [...all, portion] : all;
}

/** Reads each commit's data once for all views. */
function memoize<T>(read: (commit: Commit) => Promise<T>): (commit: Commit) => Promise<T> {
  const memo = new Map<Commit, Promise<T>>();
  return (commit) => getOrInsert(memo, commit, () => read(commit));
}
