import { Room } from '@assurance/kernel';
import { APPENDS_AT_ONCE_MAX, StoreBusy } from '@assurance/storage-ports';
import type { AppendOutcome, Commit } from '@assurance/storage-ports';

/** Commits of one group: 128 of the largest stay below what MongoDB takes in one message. */
const GROUP_MAX = 128;

interface Waiting {
  readonly commit: Commit;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Groups appends that are asked for while one is under way: the next group leaves as soon as the last is done, never on a
 * timer. A group holds at most one commit a stream: MongoDB goes on after a failed insert of an unordered group, so it would
 * store the second of two. No more than `APPENDS_AT_ONCE_MAX` are under way: the next fails with `StoreBusy`.
 *
 * @param write writes one group and tells each commit's outcome; an error is that of all
 */
export function groupAppends(
  write: (group: readonly Commit[]) => Promise<readonly AppendOutcome[]>,
): (commit: Commit) => Promise<AppendOutcome> {
  let waiting: Waiting[] = [];
  let busy = false;
  const room = new Room(APPENDS_AT_ONCE_MAX);

  const take = (): Waiting[] => {
    const streams = new Set<string>();
    const group: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const one of waiting) {
      const fits = group.length < GROUP_MAX && !streams.has(one.commit.stream);
      (fits ? group : rest).push(one);
      // Also where it does not fit: a stream's later commit must not leave before an earlier one.
      streams.add(one.commit.stream);
    }
    waiting = rest;
    return group;
  };

  const run = async (): Promise<void> => {
    busy = true;
    while (waiting.length > 0) {
      const group = take();
      try {
        const outcomes = await write(group.map(({ commit }) => commit));
        group.forEach(({ resolve }, i) => resolve(outcomes[i]!));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    busy = false;
  };

  return async (commit) => {
    if (!room.take(1)) throw new StoreBusy();
    try {
      return await new Promise<AppendOutcome>((resolve, reject) => {
        waiting.push({ commit, resolve, reject });
        if (!busy) void run();
      });
    } finally {
      room.leave(1);
    }
  };
}
