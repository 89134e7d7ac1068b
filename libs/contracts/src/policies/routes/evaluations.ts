import { gives, ok } from '../../http/answers/common';
import { followed } from '../../http/params';
import { reads, route, writes } from '../../http/route';
import { oneOf } from '../../http/shape';
import { evaluationAnswer, evaluationExamples, evaluationPage, requestedEvaluation } from '../answers/evaluation';
import { EvaluationPostInput, EvaluationsPutInput } from '../bodies/evaluation';

const tag = 'Policies';
const { requested, evaluation, page } = evaluationExamples;

/** Evaluations of policies in Rego. */
export const evaluationRoutes = {
  postEvaluation: route('POST', '/api/v2/evaluations/{org}', {
    ...writes(tag, 'record'),
    summary: 'Evaluate a policy in Rego',
    description:
      'Stores the request with the state of the trails, and answers before the policy is evaluated. Ask for the evaluation until it has ended. The policy reads `input.trails`, `input.trail` if there is one, and `data.params`.',
    body: {
      kind: 'json',
      shape: EvaluationPostInput,
      example: {
        context: { trails: [{ flow: 'release', trail: 'v1' }] },
        policy: { files: { 'policy.rego': 'package policy\n\nallow := true\n' } },
        params: {},
      },
    },
    answers: gives('It is stored and will end.', requestedEvaluation, requested, 201),
    errors: {
      403: ['Server-side evaluation is not enabled for this organization'],
      404: [
        "These trails do not exist in org 'acme': release/v1",
        "Rego policy 'reviewed' does not exist in org 'acme'",
      ],
      503: [`Evaluation '${requested.id}' could not be queued`],
    },
  }),
  putEvaluations: route('PUT', '/api/v2/evaluations/{org}', {
    ...writes(tag, 'organization'),
    summary: 'Enable or disable evaluations of policies in Rego',
    description:
      'They are enabled for organizations that this version or a later one creates. Clients that get 403 evaluate policies themselves.',
    body: { kind: 'json', shape: EvaluationsPutInput, example: { enabled: true } },
    answers: ok('It is set.'),
  }),
  listEvaluations: route('GET', '/api/v2/evaluations/{org}', {
    ...reads(tag),
    summary: 'List evaluations of policies in Rego',
    description: 'The newest first, without results.',
    query: followed('Evaluations'),
    answers: gives('One page.', evaluationPage, page, 200, 'Link'),
  }),
  getEvaluation: route('GET', '/api/v2/evaluations/{org}/{id}', {
    ...reads(tag),
    summary: 'Get an evaluation of a policy in Rego',
    description: 'A verdict never changes. `error` stands in a failed evaluation alone, `result` in a completed one.',
    paths: { id: 'Id of the evaluation.' },
    query: {
      include: oneOf(['input'], 'Whether the files, the parameters and the input are in the answer.'),
    },
    answers: gives('It.', evaluationAnswer, evaluation),
    errors: { 404: [`Evaluation '${requested.id}' does not exist in org 'acme'`] },
  }),
} as const;
