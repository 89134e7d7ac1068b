import type { DomainEvent, EventMeta } from '@assurance/contracts-events';
import type { Commit, EventStore } from '@assurance/storage-ports';

const PAGE = 200;

/** The store has lost data that a commit names, or a commit that its stream needs. */
export class BrokenRecord extends Error {
  override readonly name = 'BrokenRecord';
}

/** Where and when a commit's events happened. */
export function metaOf(commit: Commit): EventMeta {
  const { org, stream, seq, at, actor } = commit;
  return { org, stream, seq, at, actor };
}

/**
 * The events of a commit with their data, fetched where it lies outside.
 *
 * @param wanted leaves events of other types out, without fetching their data
 * @throws BrokenRecord
 */
export async function eventsOf(
  store: Pick<EventStore, 'readData'>,
  commit: Commit,
  wanted: (type: string) => boolean = () => true,
): Promise<DomainEvent[]> {
  const events: DomainEvent[] = [];
  for (const { type, version, digest, data } of commit.events) {
    if (!wanted(type)) continue;
    const text = data ?? (await store.readData(commit.org, digest));
    if (text === null) throw new BrokenRecord(`data ${digest} of ${commit.stream}#${commit.seq} is gone`);
    events.push({ type, version, data: JSON.parse(text) as unknown });
  }
  return events;
}

/** Commits of a stream from `from` on, to its end or to `to`, in pages, so that memory stays bounded. */
export async function* commitsOf(
  store: Pick<EventStore, 'read'>,
  stream: string,
  from = 1,
  to = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<Commit> {
  for (let next = from; next <= to;) {
    const page = await store.read(stream, next, Math.min(PAGE, to - next + 1));
    yield* page;
    if (page.length === 0) return;
    next += page.length;
  }
}

/**
 * The commits from which a snapshot is read, ascending, in bounded work: the one that keeps the full state it builds on (the stream's first
 * when it builds on nothing), and those after it up to the one that made the snapshot.
 *
 * @returns null when the environment has no such snapshot
 * @throws BrokenRecord
 */
export async function snapshotCommits(
  store: Pick<EventStore, 'bySnapshot' | 'read'>,
  stream: string,
  snapshot: number,
): Promise<AsyncIterable<Commit> | null> {
  const own = snapshot < 1 ? null : await store.bySnapshot(stream, snapshot);
  if (own?.index === undefined) return null;
  const { full } = own.index;
  const from = full === 0 || full === snapshot ? own : await store.bySnapshot(stream, full);
  if (from === null) throw new BrokenRecord(`the full state ${full} of ${stream} is gone`);
  return commitsOf(store, stream, full === 0 ? 1 : from.seq, own.seq);
}
