import { bodyRemedy } from '@assurance/contracts/http/body-limits';
import { FEATURE_REFUSALS, Refused } from '@assurance/contracts/http/refusals';
import { INVALID, type Route } from '@assurance/contracts/http/route';
import type { Errors, Problem, RefusalOf, Result } from '@assurance/kernel';
import { type RefusalAnswer, TRANSPORT_REFUSALS } from './transport-refusals';

const REFUSALS = { ...FEATURE_REFUSALS, ...TRANSPORT_REFUSALS };

/** All refusals by kind. The feature or the transport defines the text for the caller. */
export type Refusal = RefusalOf<typeof REFUSALS>;

/** Carries a refusal of a feature or of the transport to the error filter. */
export class RefusalError extends Refused<Refusal> {}

/** The value of a result. @throws RefusalError for a refusal */
export function unwrap<Value>(result: Result<Value, Refusal>): Value {
  if (!result.ok) throw new RefusalError(result.refusal);
  return result.value;
}

/**
 * The status and text of a refusal.
 *
 * @param route its own texts come first; null: the answer has no text of a route
 */
export function refusalAnswer(refusal: Refusal, route: Route | null): RefusalAnswer {
  const tell = REFUSALS[refusal.kind] as (refusal: Refusal) => Problem | RefusalAnswer;
  const listed = tell(withRemedy(refusal, route));
  const answer = 'problem' in listed ? answerTo(listed, route) : listed;
  const own = route?.texts?.[refusal.kind];
  return own === undefined ? answer : { ...answer, body: { ...answer.body, message: own } };
}

/** Adds the remedy of the route to the refusal of a body that is too large. */
function withRemedy(refusal: Refusal, route: Route | null): Refusal {
  return refusal.kind === 'body-too-large' && route !== null ? { ...refusal, remedy: bodyRemedy(route) } : refusal;
}

const STATUS = {
  'bad-request': 400,
  forbidden: 403,
  'not-found': 404,
  gone: 410,
  conflict: 409,
  'over-limit': 413,
  unavailable: 503,
} as const;

function answerTo(problem: Problem, route: Route | null): RefusalAnswer {
  if (problem.problem === 'invalid') return invalid(problem.errors, route);
  const { message, retryAfter } = problem;
  const headers = retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } };
  return { status: STATUS[problem.problem], body: { message }, ...headers };
}

/**
 * The message names the first field, because many clients show nothing else, unless the route has a fixed text for its
 * body.
 */
function invalid(errors: Errors, route: Route | null): RefusalAnswer {
  const isOfBody = Object.keys(errors).some((field) => route?.query[field] === undefined);
  const fixed = isOfBody && route?.body?.kind === 'json' ? route.body.message : undefined;
  const [first] = Object.entries(errors);
  if (first === undefined) return { status: 400, body: { message: fixed ?? INVALID } };
  return { status: 400, body: { message: fixed ?? `${INVALID}: ${first.join(' ')}`, errors } };
}
