import type { JsonSchema } from '../http/shape';

const attestations = {
  type: ['array', 'null'],
  description: 'What has to be attested; every name once.',
  items: { $ref: '#/$defs/attestation' },
};
const named = { type: 'string', minLength: 1 };

/** The JSON Schema of flow templates, for editors. The service also refuses repeated names, and reports line and column. */
export const flowTemplateSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Flow template, version 1',
  description:
    'What a trail of a flow has to show: the artifacts that it builds, and what is attested of them and of it.',
  type: 'object',
  properties: {
    version: { const: 1, default: 1 },
    trail: {
      type: ['object', 'null'],
      properties: {
        attestations,
        artifacts: {
          type: ['array', 'null'],
          description: 'What is built; every name once.',
          items: { $ref: '#/$defs/artifact' },
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
  $defs: {
    attestation: {
      type: 'object',
      properties: {
        name: named,
        type: {
          description: '`*` takes any type, `custom:` is followed by the name of a type of your own.',
          anyOf: [
            { enum: ['generic', 'junit', 'snyk', 'pull_request', 'jira', 'sonar', 'decision', 'sbom', '*'] },
            { type: 'string', pattern: '^custom:.+$' },
          ],
        },
      },
      required: ['name', 'type'],
      additionalProperties: false,
    },
    artifact: {
      type: 'object',
      properties: { name: named, attestations },
      required: ['name'],
      additionalProperties: false,
    },
  },
} as const satisfies JsonSchema;
