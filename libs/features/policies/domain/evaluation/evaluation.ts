import { type Aggregate, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import { type Evaluation, evaluationResults, evaluationStates } from '@assurance/contracts/policies/documents';
import type { EvaluationEvent } from '@assurance/contracts/policies/events';

export const evaluation: Aggregate<Evaluation, EvaluationEvent, 'evaluation'> = {
  kind: 'evaluation',
  states: evaluationStates,
  schemaVersion: 1,
  unfolded: new Set(['EvaluationInputKept']),
  evolve(state, event, meta) {
    if (event.type === 'EvaluationRequested') {
      const { org, actor: requestedBy, at: recordedAt } = meta;
      return { ...event.data, org, requestedBy, recordedAt, status: 'pending' };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    switch (event.type) {
      case 'EvaluationInputKept':
        return state;
      case 'EvaluationCompleted':
        return { ...state, status: 'completed' };
      case 'EvaluationFailed':
        return { ...state, status: 'failed', error: event.data };
    }
  },
  *inlineProjections(_, event, { stream }) {
    if (event.type !== 'EvaluationCompleted') return;
    yield { collection: evaluationResults, id: stream, doc: { result: event.data.result } };
  },
};
