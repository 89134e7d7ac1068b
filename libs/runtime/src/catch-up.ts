import { setTimeout } from 'node:timers/promises';
import type { FeedStrategy } from '@assurance/http';

/** How long at most (milliseconds): a longer feed, such as that of an import, is followed while requests are served. */
const LONGEST_MS = 2_000;
const STEP_MS = 5;

/**
 * Waits until consumers have taken again what was lost with a process that was killed: a moment's documents. Who decides on a look-up of other
 * streams then finds what was committed before the end.
 */
export async function catchUp(groups: readonly Pick<FeedStrategy, 'lag' | 'following'>[]): Promise<void> {
  for (let waited = 0; waited < LONGEST_MS; waited += STEP_MS) {
    const behind = await Promise.all(groups.map(async (group) => group.following && (await group.lag()) > 0));
    if (!behind.includes(true)) return;
    await setTimeout(STEP_MS);
  }
}
