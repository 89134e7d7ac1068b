import type { Collection } from 'mongodb';
import type { AppendOutcome, Commit } from '@assurance/storage-ports';
import { toRecord } from './commit-record';
import type { CommitRecord } from './commit-record';
import { duplicatesIn } from './faults';
import { AGAIN } from './persist';
import type { Persist } from './persist';

type Known = Pick<CommitRecord, '_id' | 'stream' | 'seq' | 'hash'>;

/**
 * Writes a group of commits of different streams with one insert, durable on a majority, and returns the outcome of each.
 *
 * It first reads the present commits with majority. After a duplicate key or an unknown result it reads again: the own id is a success,
 * another id a conflict, and no commit means that a write is still running.
 */
export async function appendGroup(
  records: Collection<CommitRecord>,
  persist: Persist,
  group: readonly Commit[],
): Promise<AppendOutcome[]> {
  const outcomes = new Map<Commit, AppendOutcome>();
  await persist(async () => {
    const open = group.filter((commit) => !outcomes.has(commit));
    const known = await neighbours(records, open);
    const sent = open.filter((commit) => {
      const outcome = judge(commit, known);
      if (outcome !== null) outcomes.set(commit, outcome);
      return outcome === null;
    });
    if (sent.length === 0) return true;
    for (const commit of await insert(records, sent)) outcomes.set(commit, 'appended');
    return outcomes.size === group.length ? true : AGAIN;
  });
  return group.map((commit) => outcomes.get(commit)!);
}

function place(stream: string, seq: number): string {
  return `${seq} ${stream}`;
}

/** The stored commits at each position and before it. */
async function neighbours(records: Collection<CommitRecord>, commits: readonly Commit[]): Promise<Map<string, Known>> {
  const found = await records
    .find({ $or: commits.map(({ stream, seq }) => ({ stream, seq: { $in: [seq - 1, seq] } })) })
    .project<Known>({ _id: 1, stream: 1, seq: 1, hash: 1 })
    .toArray();
  return new Map(found.map((known) => [place(known.stream, known.seq), known]));
}

/** A commit's outcome as far as what is there decides it; null when it is to be inserted. */
function judge(commit: Commit, known: ReadonlyMap<string, Known>): AppendOutcome | null {
  const there = known.get(place(commit.stream, commit.seq));
  if (there !== undefined) return there._id === commit.id ? 'appended' : 'conflict';
  const before = known.get(place(commit.stream, commit.seq - 1));
  return commit.seq > 1 && before?.hash !== commit.prev ? 'gap' : null;
}

/** Those that this insert stored; the others met a duplicate key. */
async function insert(records: Collection<CommitRecord>, commits: readonly Commit[]): Promise<readonly Commit[]> {
  try {
    await records.insertMany(commits.map(toRecord), { ordered: false });
    return commits;
  } catch (error) {
    const duplicates = duplicatesIn(error);
    return commits.filter((_, i) => !duplicates.includes(i));
  }
}
