import { byteLength } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import { othersFirst } from './reader';
import type { Reader } from './reader';

const CHUNK_BYTES = 512 * 1024;
const CHUNK_ROWS = 100;

/** Commits in the order in which they were written. */
export interface Stretch {
  readonly commits: Commit[];
  /** Position of the last one, or what was asked from. */
  readonly last: number;
}

/**
 * The commits after a position, at most `limit` and, beyond the first, at most `bytes` of them; in short reads with turns for others between.
 * Fewer than `limit` does not mean the end.
 *
 * @param until the last position that is wanted
 */
export async function commitsAfter(
  reader: Reader,
  position: number,
  limit: number,
  bytes: number,
  until = Number.MAX_SAFE_INTEGER,
): Promise<Stretch> {
  const commits: Commit[] = [];
  let [last, room] = [position, bytes];
  while (commits.length < limit) {
    const rows = chunk(reader, last, Math.min(CHUNK_ROWS, limit - commits.length), until);
    for (const row of rows) {
      if (commits.length > 0) room -= byteLength(row.body);
      if (room < 0) return { commits, last };
      commits.push(JSON.parse(row.body) as Commit);
      last = row.position;
    }
    if (rows.length === 0) break;
    if (commits.length < limit) await othersFirst();
  }
  return { commits, last };
}

/** Small commits by the hundred, large ones a few at a time: the sizes are summed before any body is fetched. */
function chunk(reader: Reader, after: number, rows: number, until: number): { position: number; body: string }[] {
  const sizes = reader.all<{ position: number; size: number }>(
    'SELECT position, octet_length(body) AS size FROM commits WHERE position > ? AND position <= ? ORDER BY position LIMIT ?',
    [after, until, rows],
  );
  let [upTo, sum] = [after, 0];
  for (const { position, size } of sizes) {
    sum += size;
    if (upTo > after && sum > CHUNK_BYTES) break;
    upTo = position;
  }
  if (upTo === after) return [];
  return reader.all('SELECT position, body FROM commits WHERE position > ? AND position <= ? ORDER BY position', [
    after,
    upTo,
  ]);
}
