import { body } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { Doc, Optional, Parts, Text, TextList, Word } from '../../http/bodies/rules';
import type { FieldErrors } from '../../http/params';
import { PATTERNS } from '../../http/patterns';
import type { Visibility } from '../events';

const VISIBILITIES: readonly Visibility[] = ['private', 'public'];

const flowFields = {
  name: [
    Doc('Name of the flow, unique in the organization.', 'shop-web'),
    Text({ pattern: PATTERNS.flow, max: NAME_MAX }),
  ],
  description: [Doc('The description.', 'The web shop'), Optional(Text({ max: DESCRIPTION_MAX }))],
  visibility: [Doc('Stored and returned; reading always needs a key.'), Optional(Word(VISIBILITIES))],
} as const;

/** The `data_json` of `PUT /flows/{org}/template_file`. */
export const FlowTemplateData = body('FlowTemplateData', flowFields);

/** `PUT /flows/{org}`: the legacy form with a list of attestation names. */
export const FlowPutInput = body('FlowPutInput', {
  template: [
    Doc('Names of the required attestations; must contain `artifact`.', ['artifact', 'unit-test']),
    Optional(
      TextList({ max: 1_000 }),
      Parts(
        (value): FieldErrors =>
          Array.isArray(value) && !value.includes('artifact') ? { '': "Input should contain 'artifact'" } : {},
        { contains: { const: 'artifact' } },
      ),
    ),
  ],
  ...flowFields,
});
