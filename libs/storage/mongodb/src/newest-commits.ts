import type { Collection } from 'mongodb';
import type { Commit } from '@assurance/storage-ports';
import { type CommitRecord, PLACE, toCommit } from './commit-record';
import { groupByGroup, maxItems } from './group';
import type { CommitHeadCache } from './commit-head-cache';
import type { Persist } from './persist';

const GROUP_MAX = 128;

/** Looks up the newest commits of streams. Requests during a look-up are combined into the next one. */
export function newestCommits(
  records: Collection<CommitRecord>,
  persist: Persist,
  headCache: CommitHeadCache,
): (stream: string) => Promise<Commit | null> {
  const look = (streams: readonly string[]): Promise<CommitRecord[]> => {
    const [only, ...more] = streams;
    if (more.length > 0) return newestOfEach(records, streams).toArray();
    return records.find({ stream: only }, { sort: { seq: -1 }, limit: 1 }).toArray();
  };
  return groupByGroup(maxItems(GROUP_MAX), async (requested) => {
    const results = await persist(() => look([...new Set(requested)]));
    for (const record of results) headCache.remember(record);
    const newest = new Map(results.map((record) => [record.stream, toCommit(record)]));
    return requested.map((stream) => newest.get(stream) ?? null);
  });
}

/** The newest record of each stream. Each costs one step in the index, because MongoDB reads only the first record of a sorted group. */
export function newestOfEach(records: Collection<CommitRecord>, streams: readonly string[]) {
  return records.aggregate<CommitRecord>(
    [
      { $match: { stream: { $in: [...streams] } } },
      { $sort: { stream: -1, seq: -1 } },
      { $group: { _id: '$stream', newest: { $first: '$$ROOT' } } },
      { $replaceRoot: { newRoot: '$newest' } },
    ],
    { hint: PLACE },
  );
}
