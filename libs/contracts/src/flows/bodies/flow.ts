import { body, withCheck, optional } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { PATTERNS } from '../../http/patterns';
import { list, oneOf, text } from '../../http/shape';
import type { Visibility } from '../events';

const VISIBILITIES: readonly Visibility[] = ['private', 'public'];

const flowFields = {
  name: text('Name of the flow, unique in the organization.', {
    pattern: PATTERNS.flow,
    max: NAME_MAX,
    example: 'shop-web',
  }),
  description: optional(text('The description.', { max: DESCRIPTION_MAX, example: 'The web shop' })),
  visibility: optional(oneOf(VISIBILITIES, 'Stored and returned; reading always needs a key.')),
} as const;

/** The `data_json` of `PUT /flows/{org}/template_file`. */
export const FlowTemplateData = body('FlowTemplateData', flowFields);

/** `PUT /flows/{org}`: the legacy form with a list of attestation names. */
export const FlowPutInput = body('FlowPutInput', {
  template: optional(
    withCheck(
      list(text(), 'Names of the required attestations; must contain `artifact`.', {
        max: 1_000,
        example: ['artifact', 'unit-test'],
      }),
      (names) => (names.includes('artifact') ? null : "Input should contain 'artifact'"),
      { contains: { const: 'artifact' } },
    ),
  ),
  ...flowFields,
});
