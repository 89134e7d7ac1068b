import type { JsonSchema } from '../http/shape';

const expression = {
  description: 'An expression such as `${{ flow.tags.kind == "build" }}`.',
  anyOf: [
    { type: ['string', 'null'] },
    { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  ],
};
const purl = {
  type: 'string',
  pattern: '^pkg:[^/]+/.',
  maxLength: 512,
  description:
    'A package URL such as `pkg:npm/@acme/*@1.2.0`. `*` stands for any characters, the version may be left out.',
};
const packages = {
  purl,
  range: { type: 'string', description: 'Bounds of versions such as `>=2,<2.17`, by the rules of the ecosystem.' },
};
const timed = {
  if: {
    description: 'Where it is one; everywhere unless given.',
    anyOf: [{ type: 'string' }, expression.anyOf[1]],
  },
  until: {
    type: 'string',
    format: 'date-time',
    description: 'From this moment on it is none any more; without it, it has no end.',
  },
};
const booleanRule = (description: string) => ({ $ref: '#/$defs/boolean-rule', description });

/** The JSON Schema of policies, for editors. The service also reads expressions, and reports line and column. */
export const policySchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Environment policy, version 1',
  description: 'What an artifact must have to run in the environments that the policy is attached to.',
  type: 'object',
  properties: {
    _schema: { type: 'string', description: 'The URL of this document.', pattern: '^[a-z]+://.+/v1([?#].*)?$' },
    artifacts: {
      type: ['object', 'null'],
      properties: {
        provenance: booleanRule('It is known from a flow.'),
        'trail-compliance': booleanRule('It is compliant in a trail.'),
        attestations: {
          type: ['array', 'null'],
          description: 'What is attested of it, or of its trail.',
          items: { $ref: '#/$defs/attestation-rule' },
          maxItems: 200,
        },
        sbom: {
          type: ['object', 'null'],
          description: 'It has an SBOM of which every component is recorded.',
          properties: {
            required: { type: 'boolean', default: false },
            exceptions: {
              type: ['array', 'null'],
              description: 'Where one of them holds, nothing is required. Each has one key or more.',
              items: { type: 'object', properties: timed, additionalProperties: false, minProperties: 1 },
              maxItems: 200,
            },
          },
          additionalProperties: false,
        },
        components: {
          type: ['object', 'null'],
          description: 'What its SBOMs must not list.',
          properties: {
            deny: {
              type: ['array', 'null'],
              items: {
                anyOf: [
                  purl,
                  { type: 'object', properties: packages, required: ['purl'], additionalProperties: false },
                ],
              },
              maxItems: 200,
            },
            exceptions: {
              type: ['array', 'null'],
              description: 'What is not denied. Each has one key or more, and `range` only with `purl`.',
              items: {
                type: 'object',
                properties: { ...packages, ...timed },
                additionalProperties: false,
                minProperties: 1,
              },
              maxItems: 200,
            },
          },
          additionalProperties: false,
        },
        vulnerabilities: {
          type: ['object', 'null'],
          description: 'It has a complete SBOM, and no component with a vulnerability that is worse than may be.',
          properties: {
            max_severity: {
              enum: ['none', 'low', 'medium', 'high', 'critical'],
              description: 'The worst severity that is accepted. A severity that nobody states counts as critical.',
            },
            grace_days: {
              type: 'integer',
              minimum: 0,
              maximum: 3650,
              default: 0,
              description: 'Days after a vulnerability was published in which it is accepted, whatever its severity.',
            },
            exceptions: {
              type: ['array', 'null'],
              description: 'What does not count. Each has one key or more.',
              items: {
                type: 'object',
                properties: {
                  vulnerability: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 256,
                    description: 'Any of its names, such as `CVE-2021-44228`; all vulnerabilities unless given.',
                  },
                  ...timed,
                },
                additionalProperties: false,
                minProperties: 1,
              },
              maxItems: 200,
            },
          },
          required: ['max_severity'],
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  },
  required: ['_schema'],
  additionalProperties: false,
  $defs: {
    'boolean-rule': {
      type: ['object', 'null'],
      properties: {
        required: { type: 'boolean', default: false },
        exceptions: {
          type: ['array', 'null'],
          description: 'Where one of them holds, nothing is required.',
          items: { type: 'object', properties: { if: expression }, additionalProperties: false },
          maxItems: 200,
        },
      },
      additionalProperties: false,
    },
    'attestation-rule': {
      type: 'object',
      properties: {
        type: {
          description: '`*` takes any type, `custom:` is followed by the name of a type of your own.',
          anyOf: [
            { enum: ['generic', 'junit', 'snyk', 'pull_request', 'jira', 'sonar', 'decision', 'sbom', '*'] },
            { type: 'string', pattern: '^custom:.+$' },
          ],
        },
        name: { type: 'string', minLength: 1, default: '*', description: '`*` takes any name.' },
        if: { ...expression, description: 'Where the rule applies; everywhere unless given.' },
        must_be_compliant: { type: 'boolean', default: true },
        for_control: {
          type: ['string', 'null'],
          minLength: 1,
          description: 'Identifier of the control of a decision.',
        },
      },
      required: ['type'],
      additionalProperties: false,
    },
  },
} as const satisfies JsonSchema;
