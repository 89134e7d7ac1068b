import type { AppendOutcome, Engines } from '@assurance/storage-ports';
import { withAppend } from '../with-append';

/** The engines, whose appends are counted by how they ended. */
export function counted(engines: Engines, count: (outcome: AppendOutcome) => void): Engines {
  const { events, feed, documents, blobs } = engines;
  return {
    feed,
    documents,
    blobs,
    events: withAppend(events, async (commit) => {
      const outcome = await events.append(commit);
      count(outcome);
      return outcome;
    }),
    problems: () => engines.problems(),
    close: () => engines.close(),
  };
}
