import type { Evaluation } from '@assurance/contracts/policies/documents';
import type {
  EvaluationCompleted,
  EvaluationEvent,
  EvaluationFailed,
  EvaluationFailure,
  EvaluationInputKept,
  EvaluationRequested,
} from '@assurance/contracts/policies/events';
import { accepted, type Decision, noChange } from '@assurance/kernel';

/** An evaluation that no process took for this long fails (milliseconds). */
const ABANDONED_MS = 5 * 60_000;
/** The size of an input (bytes of JSON). */
const INPUT_MAX = 4 * 1024 * 1024;

/**
 * Requests an evaluation. One with too large an input fails at once, and keeps no input.
 *
 * @param facts.inputBytes the size of the input
 */
export function decideRequestEvaluation(
  state: Evaluation | null,
  { request, kept }: { readonly request: EvaluationRequested['data']; readonly kept: EvaluationInputKept['data'] },
  { inputBytes }: { readonly inputBytes: number },
): Decision<EvaluationEvent, never> {
  if (state !== null) return noChange;
  const requested: EvaluationRequested = { type: 'EvaluationRequested', version: 1, data: request };
  if (inputBytes <= INPUT_MAX) return accepted(requested, { type: 'EvaluationInputKept', version: 1, data: kept });
  const message = `The input is larger than ${INPUT_MAX} bytes`;
  return accepted(requested, failed({ kind: 'input_shape', message }));
}

/** Ends an evaluation, once. */
export function decideEndEvaluation(
  state: Evaluation | null,
  outcome: EvaluationCompleted['data'] | EvaluationFailure,
): Decision<EvaluationCompleted | EvaluationFailed, never> {
  if (state?.status !== 'pending') return noChange;
  return accepted('kind' in outcome ? failed(outcome) : { type: 'EvaluationCompleted', version: 1, data: outcome });
}

/**
 * Whether an evaluation has waited so long that nobody waits for its result.
 *
 * @param now integer milliseconds
 */
export function isAbandoned({ recordedAt }: Pick<Evaluation, 'recordedAt'>, now: number): boolean {
  return now - recordedAt > ABANDONED_MS;
}

export const ABANDONED: EvaluationFailure = {
  kind: 'abandoned',
  message: 'No process took this evaluation within 5 minutes',
};

const failed = (data: EvaluationFailure): EvaluationFailed => ({ type: 'EvaluationFailed', version: 1, data });
