import { Semaphore } from '@assurance/kernel';
import { type AppendOutcome, APPENDS_AT_ONCE_MAX, type Commit, StoreBusy } from '@assurance/storage-ports';
import { groupByGroup } from './group';

/** The most commits of one group. MongoDB accepts 128 commits of the largest size in one message. */
const GROUP_MAX = 128;

/**
 * Appends in groups. A group has at most one commit of each stream: MongoDB continues an unordered group after a failed insert, so it would store
 * the second commit of a stream even if the first failed. At most `APPENDS_AT_ONCE_MAX` appends run at once; the next one fails with `StoreBusy`.
 *
 * @param write writes one group and returns the outcome of each commit; an error applies to all commits
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
    // The stream is added even if this commit does not fit: a later commit of a stream must not be sent before an earlier one.
    streams.add(stream);
    return fits;
  };
}
