import {
  document,
  either,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  type TypeOf,
  withKeywords,
} from '../http/shape';

const TYPES = ['generic', 'junit', 'snyk', 'pull_request', 'jira', 'sonar', 'decision', 'sbom', '*'] as const;
const title = `one of ${TYPES.join(', ')}, custom:<name>`;

/** A type of attestation that templates and policies may require. */
export const attestationType = withKeywords(
  either(
    oneOf(TYPES),
    withKeywords(text(), { title, pattern: '^custom:.+$' }),
    '`*` takes any type, `custom:` is followed by the name of a type of your own.',
  ),
  { title },
);

const name = withKeywords(text(), { title: 'a text that is not empty', minLength: 1 });
const attestations = nullable(
  list(object({ name, type: attestationType }), 'What has to be attested; every name once.'),
);
const template = object(
  {},
  {
    version: withKeywords(integer(), { const: 1, default: 1 }),
    trail: nullable(
      object(
        {},
        {
          attestations,
          artifacts: nullable(list(object({ name }, { attestations }), 'What is built; every name once.')),
        },
      ),
    ),
  },
);

/** The content of a flow template of version 1. */
export type TemplateYaml = TypeOf<typeof template>;

/** The JSON Schema of flow templates. Editors use it, and the service checks templates with it. */
export const flowTemplateSchema = document(
  template,
  'Flow template, version 1',
  'What a trail of a flow has to show: the artifacts that it builds, and what is attested of them and of it.',
);
