import { reads, route, writes } from '../../http/route';

const tag = 'Policies';
/** After this answer, published clients evaluate policies themselves. */
const disabled = { 403: ['Server-side evaluation is not enabled'] };

/** Evaluation of policies in Rego, which this service does not support. Bodies are not read, because clients send several forms. */
export const evaluationRoutes = {
  postEvaluation: route('POST', '/api/v2/evaluations/{org}', {
    ...writes(tag, 'record'),
    summary: 'Refuse to evaluate a policy in Rego',
    description:
      'This service does not evaluate Rego. It refuses every request, so that clients evaluate the policy themselves. The body is not read.',
    answers: {},
    errors: disabled,
  }),
  getEvaluation: route('GET', '/api/v2/evaluations/{org}/{id}', {
    ...reads(tag),
    summary: 'Refuse to show an evaluation of a policy in Rego',
    description: 'There is none: this service does not evaluate Rego.',
    paths: { id: 'Id of the evaluation.' },
    answers: {},
    errors: disabled,
  }),
} as const;
