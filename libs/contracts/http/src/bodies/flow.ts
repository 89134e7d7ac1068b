import type { Visibility } from '@assurance/contracts-events';
import type { FieldErrors } from '../params';
import { PATTERNS } from '../patterns';
import { DESCRIPTION_MAX, NAME_MAX } from './limits';
import { Doc, Optional, Parts, Text, TextList, Word } from './rules';

const VISIBILITIES: readonly Visibility[] = ['private', 'public'];

/** The `data_json` of `PUT /flows/{org}/template_file`. */
export class FlowTemplateData {
  @Doc('Name of the flow, unique in the organization.', 'shop-web')
  @Text({ pattern: PATTERNS.flow, max: NAME_MAX })
  name!: string;

  @Doc('The description.', 'The web shop')
  @Optional(Text({ max: DESCRIPTION_MAX }))
  description?: string;

  @Doc('Stored and returned; reading always needs a key.')
  @Optional(Word(VISIBILITIES))
  visibility?: Visibility;
}

/** `PUT /flows/{org}`: the legacy form with a list of attestation names. */
export class FlowPutInput extends FlowTemplateData {
  @Doc('Names of the required attestations; must contain `artifact`.', ['artifact', 'unit-test'])
  @Optional()
  @Parts(
    (value): FieldErrors =>
      Array.isArray(value) && !value.includes('artifact') ? { '': "Input should contain 'artifact'" } : {},
    { contains: { const: 'artifact' } },
  )
  @TextList({ max: 1_000 })
  template?: readonly string[];
}
