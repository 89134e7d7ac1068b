import { Semaphore } from '@assurance/kernel';
import { type AppendOutcome, APPENDS_AT_ONCE_MAX, type Commit, StoreBusy } from '@assurance/storage-ports';
import { groupByGroup } from './group';

/** Commits of one group: 128 of the largest stay below what MongoDB takes in one message. */
const GROUP_MAX = 128;

/**
 * Appends in groups. A group holds at most one commit a stream: MongoDB goes on after a failed insert of an unordered group, so it would
 * store the second of two. No more than `APPENDS_AT_ONCE_MAX` are under way: the next fails with `StoreBusy`.
 *
 * @param write writes one group and tells each commit's outcome; an error is that of all
 */
export function groupAppends(
  write: (group: readonly Commit[]) => Promise<readonly AppendOutcome[]>,
): (commit: Commit) => Promise<AppendOutcome> {
  const appending = new Semaphore(APPENDS_AT_ONCE_MAX);
  const append = groupByGroup(oneAStream, write);
  return async (commit) => {
    if (!appending.acquire(1)) throw new StoreBusy();
    try {
      return await append(commit);
    } finally {
      appending.release(1);
    }
  };
}

function oneAStream(): (commit: Commit) => boolean {
  const streams = new Set<string>();
  let many = 0;
  return ({ stream }) => {
    const fits = many < GROUP_MAX && !streams.has(stream);
    if (fits) many += 1;
    // Also if this commit does not fit: a later commit of a stream must not be sent before an earlier one.
    streams.add(stream);
    return fits;
  };
}
