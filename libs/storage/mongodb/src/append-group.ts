import type { Collection } from 'mongodb';
import type { AppendOutcome, Commit } from '@assurance/storage-ports';
import { type CommitRecord, toRecord } from './commit-record';
import { duplicatesIn } from './faults';
import type { CommitHeadCache } from './commit-head-cache';
import { RETRY, type Persist } from './persist';

type CommitHead = Pick<CommitRecord, '_id' | 'stream' | 'seq' | 'hash'>;

/**
 * Writes a group of commits of different streams with one insert, durable on a majority, and returns the outcome of each.
 *
 * It first reads the stored commits with majority, unless the previous commit is known to be stored. After a duplicate key or an unknown result
 * it reads again. If the position has the own id, the append succeeded. Another id is a conflict. No commit means that a write is still running.
 */
export async function appendGroup(
  records: Collection<CommitRecord>,
  persist: Persist,
  headCache: CommitHeadCache,
  group: readonly Commit[],
): Promise<AppendOutcome[]> {
  const outcomes = new Map<Commit, AppendOutcome>();
  const looked = new Set(group.filter((commit) => !headCache.isAfterHead(commit)));
  await persist(async () => {
    const open = group.filter((commit) => !outcomes.has(commit));
    const heads = await neighbours(
      records,
      open.filter((commit) => looked.has(commit)),
    );
    const commitsToSend = open.filter((commit) => {
      const outcome = looked.has(commit) ? judge(commit, heads) : null;
      if (outcome !== null) outcomes.set(commit, outcome);
      // If this insert does not decide the outcome of a commit, the next attempt reads it.
      looked.add(commit);
      return outcome === null;
    });
    if (commitsToSend.length === 0) return true;
    for (const [commit, record] of await insert(records, commitsToSend)) {
      outcomes.set(commit, 'appended');
      headCache.remember(record);
    }
    return outcomes.size === group.length ? true : RETRY;
  });
  return group.map((commit) => outcomes.get(commit)!);
}

function place(stream: string, seq: number): string {
  return `${seq} ${stream}`;
}

/** The stored commits at each position and before it. */
async function neighbours(
  records: Collection<CommitRecord>,
  commits: readonly Commit[],
): Promise<Map<string, CommitHead>> {
  if (commits.length === 0) return new Map();
  const heads = await records
    .find({ $or: commits.map(({ stream, seq }) => ({ stream, seq: { $in: [seq - 1, seq] } })) })
    .project<CommitHead>({ _id: 1, stream: 1, seq: 1, hash: 1 })
    .toArray();
  return new Map(heads.map((commitHead) => [place(commitHead.stream, commitHead.seq), commitHead]));
}

/** The outcome of a commit if stored commits already decide it; null if it has to be inserted. */
function judge(commit: Commit, heads: ReadonlyMap<string, CommitHead>): AppendOutcome | null {
  const there = heads.get(place(commit.stream, commit.seq));
  if (there !== undefined) return there._id === commit.id ? 'appended' : 'conflict';
  const before = heads.get(place(commit.stream, commit.seq - 1));
  return commit.seq > 1 && before?.hash !== commit.prev ? 'gap' : null;
}

/** Returns the records that this insert stored. The others met a duplicate key. */
async function insert(
  records: Collection<CommitRecord>,
  commits: readonly Commit[],
): Promise<(readonly [Commit, CommitRecord])[]> {
  const sent = commits.map((commit) => [commit, toRecord(commit)] as const);
  try {
    await records.insertMany(
      sent.map(([, record]) => record),
      { ordered: false },
    );
    return sent;
  } catch (error) {
    const duplicates = duplicatesIn(error);
    return sent.filter((_, i) => !duplicates.includes(i));
  }
}
