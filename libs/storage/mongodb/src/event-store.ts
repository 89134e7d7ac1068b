import { type Collection, type Db, type IndexDescription, Timestamp } from 'mongodb';
import { byteLength } from '@assurance/kernel';
import {
  type Commit,
  COMMIT_BYTES_MAX,
  type CommitPage,
  CommitTooLarge,
  type EventStore,
} from '@assurance/storage-ports';
import { appendGroup } from './append-group';
import { type CommitRecord, PLACE, toCommit } from './commit-record';
import { dataStore } from './data-store';
import { groupAppends } from './group-appends';
import { CommitHeadCache } from './commit-head-cache';
import { newestCommits } from './newest-commits';
import type { Persist } from './persist';
import { ACTOR, recentOf } from './recent-positions';
import { serverTime } from './server-time';

/** The size of data at which a page of a scan ends (bytes). */
const PAGE_BYTES = 8 * 1024 * 1024;

/** How many commits of a removed stream are read together. */
const REMOVED_AT_ONCE = 50;

/** The event store on MongoDB, in the collections `commits`, `data` and `data_chunks`. It creates its indexes before it resolves. */
export async function openEventStore(db: Db, persist: Persist): Promise<EventStore> {
  const records = db.collection<CommitRecord>('commits');
  const indexes: IndexDescription[] = [
    { name: PLACE, key: { stream: 1, seq: 1 }, unique: true },
    {
      name: 'snapshot',
      key: { stream: 1, 'index.snapshot': 1, seq: 1 },
      partialFilterExpression: { 'index.snapshot': { $exists: true } },
    },
    { name: 'time', key: { stream: 1, at: 1, seq: 1 } },
    { name: 'made', key: { at: 1 } },
    { name: ACTOR, key: { actor: 1, at: 1, stream: 1, seq: 1 } },
  ];
  await persist(() => records.createIndexes(indexes));
  const data = dataStore(db, persist);
  const headCache = new CommitHeadCache();
  const append = groupAppends((group) => appendGroup(records, persist, headCache, group));
  const first = async (filter: object, sort: Record<string, 1 | -1>): Promise<Commit | null> => {
    const record = await persist(() => records.findOne(filter, { sort }));
    return record === null ? null : toCommit(record);
  };
  return {
    async append(commit) {
      const size = byteLength(JSON.stringify(commit));
      if (size > COMMIT_BYTES_MAX)
        throw new CommitTooLarge(`a commit of ${size} bytes is larger than ${COMMIT_BYTES_MAX}`);
      return append(commit);
    },
    newest: newestCommits(records, persist, headCache),
    async read(stream, from, limit) {
      const filter = { stream, seq: { $gte: from } };
      const results = await persist(() => records.find(filter, { sort: { seq: 1 }, limit }).toArray());
      return results.map(toCommit);
    },
    bySnapshot: (stream, snapshot) => first({ stream, 'index.snapshot': snapshot }, { seq: 1 }),
    asOf: (stream, at) => first({ stream, at: { $lte: at } }, { at: -1, seq: -1 }),
    recentOf: (actor, since, kinds) => persist(() => recentOf(records, actor, since, kinds).toArray()),
    async scan(after, limit) {
      const place = after === null ? null : (JSON.parse(after) as PageCursor);
      const until = place === null ? await serverTime(db, persist) : Timestamp.fromString(place[2], 10);
      return persist(() => scan(records, place, until, limit));
    },
    putData: (org, text) => data.putData(org, text),
    readData: (org, digest) => data.readData(org, digest),
    async dropData(stream, seq, digests) {
      const record = await persist(() => records.findOne({ stream, seq }));
      if (record === null) return;
      // Data outside the commit is removed first, because the event must name it until all of it is gone.
      for (const { digest, size, data: inside } of record.events)
        if (inside === undefined && digests.includes(digest)) await data.removeData(record.org, digest, size);
      const change = { $unset: { 'events.$[event].data': '' as const } };
      const arrayFilters = [{ 'event.digest': { $in: [...digests] } }];
      await persist(() => records.updateOne({ stream, seq }, change, { arrayFilters }));
    },
    async removeStream(stream) {
      for (;;) {
        const newest = { sort: { seq: -1 }, limit: REMOVED_AT_ONCE } as const;
        const results = await persist(() => records.find({ stream }, newest).toArray());
        for (const { org, events } of results)
          for (const { digest, size, data: inside } of events)
            if (inside === undefined) await data.removeData(org, digest, size);
        if (results.length === 0) break;
        // Commits are removed one by one, so a killed process leaves the beginning of the stream, without a gap.
        for (const { seq } of results) await persist(() => records.deleteOne({ stream, seq }));
      }
      headCache.forget(stream);
    },
    removeData: (org, digest, size) => data.removeData(org, digest, size),
  };
}

/** The position at which a page ended, and the time of the replica set up to which the whole scan reads. */
type PageCursor = readonly [stream: string, seq: number, until: string];

/**
 * Reads a page in the order of (stream, seq), so each stream is in its own order. It contains only commits that landed up to a time, so all pages
 * of a scan show one instant.
 */
async function scan(
  records: Collection<CommitRecord>,
  after: PageCursor | null,
  until: Timestamp,
  limit: number,
): Promise<CommitPage> {
  const cursor = records.find({ landed: { $lte: until } }, { sort: { stream: 1, seq: 1 }, hint: PLACE, limit });
  if (after !== null) cursor.min({ stream: after[0], seq: after[1] + 1 });
  const commits: Commit[] = [];
  let bytes = 0;
  for await (const record of cursor) {
    commits.push(toCommit(record));
    bytes += record.events.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
    if (bytes > PAGE_BYTES) break;
  }
  const last = commits.at(-1);
  const more = commits.length === limit || bytes > PAGE_BYTES;
  if (!more || last === undefined) return { commits, next: null };
  const place: PageCursor = [last.stream, last.seq, until.toString()];
  return { commits, next: JSON.stringify(place) };
}
