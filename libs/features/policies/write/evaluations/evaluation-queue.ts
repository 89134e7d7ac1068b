import { index } from '@assurance/contracts/events/aggregate';
import { keyOf } from '@assurance/contracts/events/streams';
import type { EvaluationRequested } from '@assurance/contracts/policies/events';
import { FairWorkQueue } from '@assurance/event-sourcing/work-queue/fair-work-queue';
import type { WorkItem } from '@assurance/event-sourcing/work-queue/work-queue';
import type { CollectionDefinition, Commit, Documents } from '@assurance/storage-ports';

/** How long one process works on an evaluation alone (milliseconds). */
const LEASE_MS = 10_000;
const REST_MAX_MS = 5_000;

/** An evaluation that is due. */
export interface EvaluationWork {
  readonly org: string;
  readonly correlation: string;
}

/** Evaluations that are due: one document for each, under its id. */
export const evaluationItems: CollectionDefinition<WorkItem<EvaluationWork>> = {
  name: 'due_evaluations',
  indexes: [index('by_time', 'due', 'notBefore'), index('by_organization', 'due', 'org', 'notBefore')],
};

/** The work queue of evaluations, in which organizations take turns. */
export class EvaluationQueue extends FairWorkQueue<EvaluationWork> {
  /** @param now integer milliseconds */
  constructor(
    private readonly store: Documents,
    now: () => number,
  ) {
    super(store.collection(evaluationItems), now, {
      leaseMs: LEASE_MS,
      pauseMaxMs: REST_MAX_MS,
      together: (_, next) => next,
      cleared: (item) => item,
    });
  }

  /** Removes the item of an evaluation that has ended. There would be more and more of them. */
  async remove(id: string): Promise<void> {
    await this.store.collection(evaluationItems).write([{ kind: 'forget', id }]);
  }
}

const REQUESTED: EvaluationRequested['type'] = 'EvaluationRequested';

/** The evaluations that some commits request, by id. */
export function evaluationsIn(batch: readonly Commit[]): Map<string, EvaluationWork> {
  const requests = batch.filter(({ events }) => events.some(({ type }) => type === REQUESTED));
  return new Map(requests.map(({ stream, org, correlation }) => [keyOf(stream), { org, correlation }]));
}
