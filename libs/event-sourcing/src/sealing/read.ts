import { LRUCache } from 'lru-cache';
import { decodeEvent, refuseUnknown, withoutData } from '@assurance/contracts/events/codec';
import type { DomainEvent, EventMeta } from '@assurance/contracts/events/event';
import { parseDeepInSlices, parseJsonInSlices } from '@assurance/kernel';
import type { Blobs, Commit, EventStore, StoredEvent } from '@assurance/storage-ports';

const PAGE = 200;
/** The largest event that is cached in decoded form, and the size of the cache (bytes of JSON). */
const DECODED_MAX = 16 * 1024;
const DECODED_BYTES_MAX = 1024 * 1024;

/** Events that contain JSON as the client sent it. Its numbers keep all their digits. */
const EXACT: ReadonlySet<string> = new Set([
  'AttestationPayloadKept',
  'ArtifactReported',
  'TrailBegun',
  'TrailUpdated',
]);

/** The store lost something that a record references: a commit, the data of an event, or a blob. */
export class BrokenRecord extends Error {
  override readonly name = 'BrokenRecord';
}

/** Where and when a commit's events happened. */
export function metaOf(commit: Commit): EventMeta {
  const { org, stream, seq, at, actor } = commit;
  return { org, stream, seq, at, actor };
}

/** The commit of a stream at a position, null when there is none. */
export async function findCommit(store: Pick<EventStore, 'read'>, stream: string, seq: number): Promise<Commit | null> {
  const [commit] = seq < 1 ? [] : await store.read(stream, seq, 1);
  return commit?.seq === seq ? commit : null;
}

/**
 * The commit of a stream at a position that a record names.
 *
 * @throws BrokenRecord
 */
export async function commitAt(store: Pick<EventStore, 'read'>, stream: string, seq: number): Promise<Commit> {
  const commit = await findCommit(store, stream, seq);
  if (commit === null) throw new BrokenRecord(`commit ${seq} of ${stream} is gone`);
  return commit;
}

/**
 * The data of an event as canonical JSON, also if it is stored outside the commit.
 *
 * @throws BrokenRecord
 */
export async function dataOf(
  store: Pick<EventStore, 'readData'>,
  { org, stream, seq }: Commit,
  { digest, data }: Pick<StoredEvent, 'digest' | 'data'>,
): Promise<string> {
  const text = await storedText(store, { org }, { digest, data });
  if (text === null) throw new BrokenRecord(`data ${digest} of ${stream}#${seq} is gone`);
  return text;
}

/** The data of an event as canonical JSON, null when it is gone. */
export async function storedText(
  store: Pick<EventStore, 'readData'>,
  { org }: Pick<Commit, 'org'>,
  { digest, data }: Pick<StoredEvent, 'digest' | 'data'>,
): Promise<string | null> {
  return data ?? store.readData(org, digest);
}

/**
 * The content of a blob that a record names, in pieces. The blob is opened when the first piece is read.
 *
 * @throws BrokenRecord
 */
export async function* contentOf(blobs: Pick<Blobs, 'open'>, org: string, sha256: string): AsyncGenerator<Uint8Array> {
  const content = await blobs.open(org, sha256);
  if (content === null) throw new BrokenRecord(`the blob ${sha256} is gone`);
  yield* content;
}

/**
 * The events of a commit with their data, in the newest version of their types. Data that is stored outside the commit is fetched. If retention
 * dropped the data of an event, `withoutData` decides what remains of the event.
 *
 * @param isWanted selects the types of events; the data of others is not fetched
 * @throws BrokenRecord
 * @throws UnknownEvent also for unwanted events, because the reader cannot know what an unknown event changes
 */
export async function eventsOf(
  store: Pick<EventStore, 'readData'>,
  commit: Commit,
  isWanted: (type: string) => boolean = () => true,
): Promise<DomainEvent[]> {
  refuseUnknown(commit);
  const events: DomainEvent[] = [];
  for (const storedEvent of commit.events) {
    if (!isWanted(storedEvent.type)) continue;
    const event = cache.get(storedEvent) ?? (await decode(store, commit, storedEvent));
    if (event !== null) events.push(event);
  }
  return events;
}

/**
 * The events of a commit that an aggregate folds.
 *
 * @throws BrokenRecord
 * @throws UnknownEvent
 */
export function foldedEventsOf<Event extends DomainEvent>(
  store: Pick<EventStore, 'readData'>,
  commit: Commit,
  { unfolded }: { readonly unfolded?: ReadonlySet<string> },
): Promise<Event[]> {
  return eventsOf(store, commit, (type) => unfolded?.has(type) !== true) as Promise<Event[]>;
}

/** Recently decoded small events. All consumers of this process get the same objects and never change them. */
const cache = new LRUCache<StoredEvent, DomainEvent>({
  maxSize: DECODED_BYTES_MAX,
  maxEntrySize: DECODED_MAX,
  sizeCalculation: (_, { size }) => Math.max(1, size),
});

/** @returns null for an event that has no content without its dropped data */
async function decode(
  store: Pick<EventStore, 'readData'>,
  commit: Commit,
  storedEvent: StoredEvent,
): Promise<DomainEvent | null> {
  const text = await storedText(store, commit, storedEvent);
  const remaining = text === null ? withoutData(storedEvent, commit.index?.snapshot ?? 0) : undefined;
  if (remaining !== undefined) return remaining;
  const json = text ?? (await dataOf(store, commit, storedEvent));
  const data = await (EXACT.has(storedEvent.type) ? parseDeepInSlices(json) : parseJsonInSlices(json));
  const event = decodeEvent(commit, storedEvent, data);
  cache.set(storedEvent, event);
  return event;
}

/** Commits of a stream from `from` on, to its end or to `to`, in pages, so that memory stays bounded. */
export async function* commitsOf(
  store: Pick<EventStore, 'read'>,
  stream: string,
  from = 1,
  to = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<Commit> {
  for (let next = from; next <= to;) {
    const limit = Math.min(PAGE, to - next + 1);
    const page = await store.read(stream, next, limit);
    yield* page;
    if (page.length < limit) return;
    next += limit;
  }
}

/**
 * The events of a stream, each with its commit, from `from` on, to its end or to `to` (seqs), in pages, so that memory stays bounded.
 *
 * @throws BrokenRecord
 * @throws UnknownEvent
 */
export async function* historyOf<Event extends DomainEvent>(
  store: Pick<EventStore, 'read' | 'readData'>,
  stream: string,
  from?: number,
  to?: number,
): AsyncGenerator<{ readonly commit: Commit; readonly event: Event }> {
  for await (const commit of commitsOf(store, stream, from, to)) {
    for (const event of (await eventsOf(store, commit)) as Event[]) yield { commit, event };
  }
}

/** When the snapshot of a commit was observed (integer milliseconds). Earlier versions stored only the time of the commit. */
export function observedAtOfCommit({ at, index }: Pick<Commit, 'at' | 'index'>): number {
  return index?.observedAt ?? at;
}

/**
 * The commits from which a snapshot is read, ascending. They begin with the commit that holds the full state before the snapshot (or the first
 * commit of the stream, if there is no full state), and end with the commit of the snapshot. So the work is bounded.
 *
 * @returns null when the environment has no such snapshot
 * @throws BrokenRecord
 */
export async function snapshotCommits(
  store: Pick<EventStore, 'bySnapshot' | 'read'>,
  stream: string,
  snapshot: number,
): Promise<AsyncIterable<Commit> | null> {
  const snapshotCommit = snapshot < 1 ? null : await store.bySnapshot(stream, snapshot);
  if (snapshotCommit?.index === undefined) return null;
  const { full } = snapshotCommit.index;
  const from = full === 0 || full === snapshot ? snapshotCommit : await store.bySnapshot(stream, full);
  if (from === null) throw new BrokenRecord(`the full state ${full} of ${stream} is gone`);
  return commitsOf(store, stream, full === 0 ? 1 : from.seq, snapshotCommit.seq);
}
