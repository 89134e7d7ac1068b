import { asSent, closed, closedRecord, optional, withCheck } from '../../http/bodies/body';
import { fingerprint } from '../../http/bodies/words';
import { either, flag, integer, list, map, anything, text } from '../../http/shape';

const TRAILS_MAX = 100;

const trail = closedRecord({
  flow: text('Name of the flow.', { min: 1, example: 'release' }),
  trail: text('Name of the trail.', { min: 1, example: 'v1' }),
});

/** `POST /evaluations/{org}`. */
export const EvaluationPostInput = closed('EvaluationPostInput', {
  context: closedRecord({
    trails: withCheck(
      list(trail, 'What the policy judges, in this order. A repeated one counts once.', {
        max: TRAILS_MAX,
        noun: 'trails',
      }),
      (trails) => (trails.length === 0 ? 'Input should have at least 1 trail' : null),
      { minItems: 1 },
    ),
  }),
  policy: closedRecord({
    files: optional(
      map(text(), 'Sources by relative path: at most 100 files of 1 MiB together, with their paths.', {
        example: { 'policy.rego': 'package policy\n\nallow := true\n' },
      }),
    ),
    identifier: optional(text('The identifier of a published policy, with or without `@v` and its version.')),
    version: optional(either(integer(undefined, { min: 1 }), text())),
  }),
  params: asSent(map(anything(), 'The policy reads them as `data.params`.', { example: { least: 2 } })),
  decision: optional(
    closedRecord({
      control: text('Identifier of the control.'),
      name: text('Name of the attestation.'),
      flow: text('Name of the flow.'),
      trail: text('Name of the trail.'),
      fingerprint: optional(fingerprint('The artifact in the trail.')),
    }),
  ),
});

/** `PUT /evaluations/{org}`. */
export const EvaluationsPutInput = closed('EvaluationsPutInput', {
  enabled: flag('Whether the service evaluates policies in Rego for the organization.'),
});
