import { setTimeout } from 'node:timers/promises';
import type { FeedStrategy } from '@assurance/http';

/** How long at most (milliseconds): a longer feed, such as that of an import, is followed while requests are served. */
const LONGEST_MS = 2_000;
const STEP_MS = 5;

/** Waits until consumers have processed the commits before a crash, because commands read documents that they write. */
export async function catchUp(groups: readonly Pick<FeedStrategy, 'lag' | 'following'>[]): Promise<void> {
  for (let waited = 0; waited < LONGEST_MS; waited += STEP_MS) {
    const behind = await Promise.all(groups.map(async (group) => group.following && (await group.lag()) > 0));
    if (!behind.includes(true)) return;
    await setTimeout(STEP_MS);
  }
}
