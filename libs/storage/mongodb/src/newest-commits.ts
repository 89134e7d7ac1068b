import type { Collection } from 'mongodb';
import type { Commit } from '@assurance/storage-ports';
import { type CommitRecord, PLACE, toCommit } from './commit-record';
import { groupByGroup, upTo } from './group';
import type { KnownCommits } from './known-commits';
import type { Persist } from './persist';

const GROUP_MAX = 128;

/** Looks up the newest commits of streams. Requests during a look-up are combined into the next one. */
export function newestCommits(
  records: Collection<CommitRecord>,
  persist: Persist,
  known: KnownCommits,
): (stream: string) => Promise<Commit | null> {
  const look = (streams: readonly string[]): Promise<CommitRecord[]> => {
    const [only, ...more] = streams;
    if (more.length > 0) return newestOfEach(records, streams).toArray();
    return records.find({ stream: only }, { sort: { seq: -1 }, limit: 1 }).toArray();
  };
  return groupByGroup(upTo(GROUP_MAX), async (asked) => {
    const found = await persist(() => look([...new Set(asked)]));
    for (const record of found) known.learn(record);
    const newest = new Map(found.map((record) => [record.stream, toCommit(record)]));
    return asked.map((stream) => newest.get(stream) ?? null);
  });
}

/** The newest record of each stream. Each costs one step in the index, because MongoDB reads the first of a sorted group. */
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
