import type { CloudEventAnswer } from '@assurance/contracts/audit/answers/events';
import type { FeedCursor } from '@assurance/contracts/audit/feed-cursor';
import type { PublicEvent } from '@assurance/contracts/notifications/events';
import { eventsOf, findCommit, metaOf } from '@assurance/event-sourcing/sealing/read';
import { pieces, sha256 } from '@assurance/kernel';
import type { PublicEventsOfCommits } from '@assurance/notifications/lookups/public-events';
import type { Commit, Documents, EventStore } from '@assurance/storage-ports';
import { ADMINISTRATIVE_TYPES } from '../../domain/administrative-changes';
import { changesOf } from '../audit-log/follow';
import { changeAnswer, type NameLookups } from '../audit-log/list';
import { changeRows } from '../audit-log/rows';
import { BEGINNING, chainDigest, digestAt, type FeedPage, feedPages, PAGE_COMMITS, pageId } from './pages';

/** The type of the event of an administrative change. */
const SETTINGS_CHANGED = 'assurance.settings.changed.v1';

/** How many commits are read concurrently. */
const ABREAST = 8;
/** The most commits that one request reads, because many commits may have no event of the requested types. */
const COMMITS_MAX = 1_024;

interface Parts {
  readonly documents: Documents;
  readonly events: Pick<EventStore, 'read' | 'readData'>;
  readonly publicEvents: PublicEventsOfCommits;
  /** Look-ups of names by ids. */
  readonly names: NameLookups;
}

interface FeedRequest {
  readonly org: { readonly id: string; readonly name: string };
  /** Null for the beginning. */
  readonly cursor: FeedCursor | null;
  /** Empty for all. */
  readonly types: readonly string[];
  readonly limit: number;
}

/** A part of the feed, and the cursor of the next part. */
export interface FeedPart {
  readonly events: readonly CloudEventAnswer[];
  readonly cursor: FeedCursor;
  readonly more: boolean;
  /** The cursor is unknown: the answer starts with the first event. */
  readonly isReset: boolean;
}

/** Reads events after a cursor. If the commits that one request reads have events of the requested types, it returns at least one. */
export async function readFeed(parts: Parts, { org, cursor, types, limit }: FeedRequest): Promise<FeedPart> {
  const pages = parts.documents.collection(feedPages);
  const pageAt = (number: number) => pages.get(pageId(org.id, number));
  const start: FeedCursor = { position: 0, offset: 0, digest: BEGINNING };
  const isReset = cursor !== null && !(await isCurrentCursor(pageAt, cursor));
  let at = cursor === null || isReset ? start : cursor;
  const events: CloudEventAnswer[] = [];
  const result = (more: boolean): FeedPart => ({ events, cursor: at, more, isReset });
  for (let read = 0; read < COMMITS_MAX;) {
    const page = await pageAt(Math.floor(at.position / PAGE_COMMITS));
    const place = at.position % PAGE_COMMITS;
    const commits = page?.commits.slice(place) ?? [];
    if (page === null || commits.length === 0) return result(false);
    for (const group of pieces(commits, ABREAST)) {
      const eventLists = await Promise.all(group.map((commit) => eventsAt(parts, org, commit)));
      for (const [i, all] of eventLists.entries()) {
        const selectedEvents = all.slice(at.offset).filter(({ type }) => types.length === 0 || types.includes(type));
        const room = limit - events.length;
        events.push(...selectedEvents.slice(0, room));
        const [next] = selectedEvents.slice(room);
        if (next !== undefined) {
          at = { ...at, offset: all.indexOf(next) };
          return result(true);
        }
        at = { position: at.position + 1, offset: 0, digest: chainDigest(at.digest, group[i] ?? '') };
      }
      read += group.length;
      if (events.length === limit || read >= COMMITS_MAX) break;
    }
    if (events.length === limit) break;
  }
  const page = await pageAt(Math.floor(at.position / PAGE_COMMITS));
  return result((page?.commits.length ?? 0) > at.position % PAGE_COMMITS);
}

/** Whether the events before a cursor are the same as when the cursor was made. */
async function isCurrentCursor(
  pageAt: (number: number) => Promise<FeedPage | null>,
  { position, digest }: FeedCursor,
): Promise<boolean> {
  if (position === 0) return digest === BEGINNING;
  // This is the page of the last commit before the cursor, because the next page may not exist yet.
  const page = await pageAt(Math.floor((position - 1) / PAGE_COMMITS));
  const place = ((position - 1) % PAGE_COMMITS) + 1;
  return page !== null && place <= page.commits.length && digestAt(page, place) === digest;
}

async function eventsAt(parts: Parts, org: FeedRequest['org'], place: string): Promise<CloudEventAnswer[]> {
  const hash = place.lastIndexOf('#');
  const commit = await findCommit(parts.events, place.slice(0, hash), Number(place.slice(hash + 1)));
  // The commit is missing because its organization is being erased.
  if (commit === null) return [];
  const events = (await parts.publicEvents.of(commit)).map(cloudEvent);
  return [...events, ...(await settingsChanged(parts, org, commit))];
}

async function settingsChanged(
  { documents, events, names: { nameOf, namesOf } }: Parts,
  { name: organization }: FeedRequest['org'],
  commit: Commit,
): Promise<CloudEventAnswer[]> {
  const meta = metaOf(commit);
  const administrativeEvents = await eventsOf(events, commit, (type) => ADMINISTRATIVE_TYPES.has(type));
  const ids = changesOf(administrativeEvents.map((event) => ({ event, meta }))).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = [...(await documents.collection(changeRows).getMany(ids)).values()];
  const namesOfRow = await namesOf(rows.filter(({ name, subject }) => name === subject));
  const all: CloudEventAnswer[] = [];
  for (const stored of rows) {
    const row = { ...stored, name: namesOfRow(stored).subject };
    const { created_at: _, ...entry } = changeAnswer(row, await nameOf(row.actor));
    const event = {
      id: sha256(`${commit.id}\n${SETTINGS_CHANGED}\n${row.id}`).slice(0, 32),
      type: SETTINGS_CHANGED,
      source: `/organizations/${encodeURIComponent(organization)}`,
      subject: `${row.kind}/${row.name}`,
      at: row.at,
      key: organization,
      data: { organization, ...entry },
    };
    all.push(cloudEvent(event));
  }
  return all;
}

/** A public event as CloudEvents 1.0 in JSON. */
function cloudEvent({ id, source, type, subject, at, key, data }: PublicEvent): CloudEventAnswer {
  return {
    specversion: '1.0',
    id,
    source,
    type,
    subject,
    time: new Date(at).toISOString(),
    datacontenttype: 'application/json',
    partitionkey: key,
    data,
  };
}
