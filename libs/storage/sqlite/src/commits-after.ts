import { byteLength, yieldToOthers } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import type { Reader } from './reader';
import type { RecentCommits } from './recent-commits';

const CHUNK_BYTES = 512 * 1024;
const CHUNK_ROWS = 100;

/** Commits in the order in which they were written. */
export interface CommitPage {
  readonly commits: Commit[];
  /** Position of the last commit; without commits, the position from which the read began. */
  readonly last: number;
}

/**
 * Returns the commits after a position: at most `limit`, and at most `bytes` beyond the first commit. It reads in short steps and lets other work run
 * between them. Fewer commits than `limit` do not mean the end.
 *
 * @param recent commits in memory, which need not be read; null: all are read from the file, as a check needs
 * @param until the last position that is wanted
 */
export async function commitsAfter(
  reader: Reader,
  recent: RecentCommits | null,
  position: number,
  limit: number,
  bytes: number,
  until = Number.MAX_SAFE_INTEGER,
): Promise<CommitPage> {
  const commits: Commit[] = [];
  let [last, bytesLeft] = [position, bytes];
  while (commits.length < limit) {
    const rows = chunk(reader, recent, last, Math.min(CHUNK_ROWS, limit - commits.length), until);
    for (const { size, position, commit } of rows) {
      if (commits.length > 0) bytesLeft -= size;
      if (bytesLeft < 0) return { commits, last };
      commits.push(commit());
      last = position;
    }
    if (rows.length === 0) break;
    if (commits.length < limit) await yieldToOthers();
  }
  return { commits, last };
}

interface CommitCandidate {
  readonly position: number;
  /** Bytes of its JSON text. */
  readonly size: number;
  readonly commit: () => Commit;
}

/** Reads a hundred small commits or a few large ones at a time. It sums the sizes before it reads any body. */
function chunk(
  reader: Reader,
  recent: RecentCommits | null,
  after: number,
  rows: number,
  until: number,
): CommitCandidate[] {
  const recentCommits = recent?.after(after, rows);
  if (recentCommits != null) {
    return recentCommits.map(({ commit, bytes }, i) => ({
      position: after + 1 + i,
      size: bytes,
      commit: () => commit,
    }));
  }
  const sizes = reader.all<{ position: number; size: number }>(
    'SELECT position, octet_length(body) AS size FROM commits WHERE position > ? AND position <= ? ORDER BY position LIMIT ? + 0',
    [after, until, rows],
  );
  const chosenSizes: typeof sizes = [];
  let sum = 0;
  for (const row of sizes) {
    sum += row.size;
    if (chosenSizes.length > 0 && sum > CHUNK_BYTES) break;
    chosenSizes.push(row);
  }
  const last = chosenSizes.at(-1);
  if (last === undefined) return [];
  const bodies = reader.all<{ position: number; body: string }>(
    'SELECT position, body FROM commits WHERE position > ? AND position <= ? ORDER BY position',
    [after, last.position],
  );
  return bodies.map(({ position, body }) => ({
    position,
    size: byteLength(body),
    commit: () => JSON.parse(body) as Commit,
  }));
}
