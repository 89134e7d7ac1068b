import { pageFields, pageExample } from '../../http/answers/common';
import {
  anything,
  component,
  integer,
  list,
  map,
  named,
  number,
  object,
  oneOf,
  type TypeOf,
  text,
  type Shape,
} from '../../http/shape';

const times = {
  requested_at: number('The time that the policy sees, in epoch seconds.'),
  recorded_at: number('When it was stored, in epoch seconds.'),
};

export const requestedEvaluation = component('RequestedEvaluation', {
  id: text(),
  status: oneOf(['pending', 'failed']),
  ...times,
});

/** Further members are the values of rules that are entry points. */
const result: Shape<{ readonly allow: boolean; readonly violations?: readonly string[] }> = named('EvaluationResult', {
  schema: {
    type: 'object',
    description: 'Further members are the values of rules that are annotated as entry points.',
    required: ['allow'],
    properties: {
      allow: { type: 'boolean' },
      violations: { type: 'array', items: { type: 'string' }, description: 'Left out if the policy has no such rule.' },
    },
    additionalProperties: true,
  },
});

const evaluated = {
  id: text(),
  status: oneOf(['pending', 'completed', 'failed'], 'It ends once.'),
  ...times,
  requested_by: text('Name of the user or service account.'),
  policy: object(
    { digest: text('SHA-256 of the canonical JSON (RFC 8785) of the files by path.') },
    { files: map(text(), 'Sources by path, with `include=input`.') },
  ),
  context: object({
    trails: list(
      object({ flow: text(), trail: text(), moment_number: integer('The state of the trail that was judged.') }),
    ),
  }),
};
const ended = {
  error: object({ kind: text('Such as `compile`; clients accept further words.'), message: text() }),
};

export const evaluationAnswer = component('Evaluation', evaluated, {
  ...ended,
  result,
  params: map(anything(), 'With `include=input`.'),
  input: anything('What the policy read as `input`, with `include=input`.'),
});
export type EvaluationAnswer = TypeOf<typeof evaluationAnswer>;

export const evaluationPage = component('EvaluationPage', {
  ...pageFields,
  evaluations: list(component('ListedEvaluation', evaluated, ended)),
});
export type EvaluationPage = TypeOf<typeof evaluationPage>;

const listed = {
  id: '018bcfe5-6800-7000-8000-000000000001',
  status: 'completed',
  requested_at: 1700000000.5,
  recorded_at: 1700000000.6,
  requested_by: 'ci',
  policy: { digest: 'c0ffee00'.repeat(8) },
  context: { trails: [{ flow: 'release', trail: 'v1', moment_number: 3 }] },
} as const;
export const evaluationExamples = {
  requested: { id: listed.id, status: 'pending', requested_at: 1700000000.5, recorded_at: 1700000000.6 },
  evaluation: { ...listed, result: { allow: false, violations: ['v1 has no review'] } },
  page: { ...pageExample, evaluations: [listed] },
} as const;
