import { streams } from '@assurance/contracts/events/streams';
import type { EvaluationInputKept } from '@assurance/contracts/policies/events';
import { commitsOf, eventsOf } from '@assurance/event-sourcing/sealing/read';
import type { EventStore } from '@assurance/storage-ports';

const KEPT: EvaluationInputKept['type'] = 'EvaluationInputKept';

/** What an evaluation evaluates; null if it was too large. */
export async function readEvaluationInput(
  store: Pick<EventStore, 'read' | 'readData'>,
  id: string,
): Promise<EvaluationInputKept['data'] | null> {
  for await (const commit of commitsOf(store, streams.evaluation(id), 1, 1)) {
    const [kept] = (await eventsOf(store, commit, (type) => type === KEPT)) as EvaluationInputKept[];
    if (kept !== undefined) return kept.data;
  }
  return null;
}
