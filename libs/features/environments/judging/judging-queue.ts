import { index } from '@assurance/contracts/events/aggregate';
import { FairWorkQueue } from '@assurance/event-sourcing/work-queue/fair-work-queue';
import type { LeasedItem, WorkItem } from '@assurance/event-sourcing/work-queue/work-queue';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';
import { type JudgingWork, mergeWork } from './work';

/** The work item of an environment: one document an environment, under its id. */
export type JudgingItem = WorkItem<JudgingWork>;
export type LeasedEnvironment = LeasedItem<JudgingWork>;

export const judgingItems: CollectionDefinition<JudgingItem> = {
  name: 'due_environments',
  indexes: [index('by_time', 'due', 'notBefore'), index('by_organization', 'due', 'org', 'notBefore')],
};

/** How long a worker keeps others off. It may take longer: then two work at once, and the stream's conflict decides. */
export const LEASE_MS = 15_000;
/** The longest rest of an environment whose work keeps failing. */
const PAUSE_MAX_MS = 60_000;

/** The work queue of all environments. */
export class JudgingQueue extends FairWorkQueue<JudgingWork> {
  /** @param now integer milliseconds */
  constructor(documents: Documents, now: () => number) {
    super(documents.collection(judgingItems), now, {
      leaseMs: LEASE_MS,
      pauseMaxMs: PAUSE_MAX_MS,
      together: mergeWork,
      cleared: (item) => ({ ...item, fingerprints: [] }),
    });
  }
}
