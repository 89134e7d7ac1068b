import { spaceId, tags } from '../../http/answers/common';
import { component, list, nullable, number, type TypeOf, oneOf, type Shape, text } from '../../http/shape';

const template: Shape<string | readonly string[]> = {
  schema: {
    anyOf: [text().schema, list(text()).schema],
    description: 'YAML text, or the list of attestation names of a legacy flow.',
  },
};

/** Fields of a flow in every answer. */
export const flowFields = {
  id: text(),
  name: text(),
  description: text(),
  visibility: oneOf(['private', 'public']),
  org: text(),
  template,
  repo_url: nullable(text('Of the repository of its latest trail; null if unknown.')),
  tags,
  space_id: spaceId,
};

export const flowAnswer = component('Flow', {
  ...flowFields,
  last_deployment_at: nullable(number('Epoch seconds.')),
});
export type FlowAnswer = TypeOf<typeof flowAnswer>;
