import fc from 'fast-check';
import { readPolicy } from './read-policy';
import { YAML_BYTES_MAX } from './read-yaml';

const SCHEMA = '_schema: https://assurance.example.com/schemas/policy/v1\n';
const NOT = { required: false, exceptions: [] };
const read = (yaml: string) => readPolicy(Buffer.from(yaml));

describe('a policy', () => {
  it.each([
    ['the smallest', SCHEMA, { provenance: NOT, trailCompliance: NOT, attestations: [] }],
    [
      'an older place of the schema',
      '_schema: https://docs.example.com/schemas/policy/environment/v1\nartifacts:\n',
      { provenance: NOT, trailCompliance: NOT, attestations: [] },
    ],
    [
      'everything',
      `${SCHEMA}artifacts:
  provenance:
    required: true
    exceptions:
      - if: \${{ flow.tags.kind != "build" }}
      - if: {text: 'exists(flow.name)'}
      - if:
  trail-compliance:
    required: true
  attestations:
    - type: pull_request
      if: \${{flow.name in ["a", "b"]}}
    - {type: decision, name: risk, for_control: C-1, must_be_compliant: false}
    - {type: "custom:scan", for_control: null}
    - {type: "*", name: unit}
`,
      {
        provenance: { required: true, exceptions: ['flow.tags.kind != "build"', 'exists(flow.name)', null] },
        trailCompliance: { required: true, exceptions: [] },
        attestations: [
          {
            if: 'flow.name in ["a", "b"]',
            name: '*',
            type: 'pull_request',
            mustBeCompliant: true,
            forControl: null,
          },
          { if: null, name: 'risk', type: 'decision', mustBeCompliant: false, forControl: 'C-1' },
          { if: null, name: '*', type: 'custom:scan', mustBeCompliant: true, forControl: null },
          { if: null, name: 'unit', type: '*', mustBeCompliant: true, forControl: null },
        ],
      },
    ],
    [
      'components',
      `${SCHEMA}artifacts:
  sbom:
    required: true
    exceptions:
      - {if: flow.name == "old", until: "2027-01-31T00:00:00+01:00"}
      - until: 2027-01-31T00:00:00Z
  components:
    deny:
      - pkg:npm/@acme/*
      - {purl: pkg:npm/lodash, range: "<4.17.21"}
    exceptions:
      - {purl: pkg:npm/@acme/core, range: ">=2", until: 2027-01-31T00:00:00.5Z}
      - if: {text: flow.name == "a"}
`,
      {
        provenance: NOT,
        trailCompliance: NOT,
        attestations: [],
        sbom: {
          allowEmpty: false,
          required: true,
          exceptions: [
            { if: 'flow.name == "old"', until: Date.UTC(2027, 0, 30, 23) },
            { if: null, until: Date.UTC(2027, 0, 31) },
          ],
        },
        components: {
          deny: [
            { purl: 'pkg:npm/@acme/*', range: null },
            { purl: 'pkg:npm/lodash', range: '<4.17.21' },
          ],
          exceptions: [
            {
              if: null,
              until: Date.UTC(2027, 0, 31) + 500,
              component: { purl: 'pkg:npm/@acme/core', range: '>=2' },
            },
            { if: 'flow.name == "a"', until: null, component: null },
          ],
        },
      },
    ],
    [
      'vulnerabilities',
      `${SCHEMA}artifacts:
  vulnerabilities:
    max_severity: medium
    grace_days: 14
    exceptions:
      - {vulnerability: CVE-2021-44228, until: 2027-01-31T00:00:00Z}
      - if: flow.name == "a"
`,
      {
        provenance: NOT,
        trailCompliance: NOT,
        attestations: [],
        vulnerabilities: {
          maxSeverity: 'medium',
          graceDays: 14,
          allowUnmatched: false,
          exceptions: [
            { if: null, until: Date.UTC(2027, 0, 31), vulnerability: 'CVE-2021-44228' },
            { if: 'flow.name == "a"', until: null, vulnerability: null },
          ],
        },
      },
    ],
    [
      'the strictest rule about vulnerabilities',
      `${SCHEMA}artifacts: {vulnerabilities: {max_severity: none}}\n`,
      {
        provenance: NOT,
        trailCompliance: NOT,
        attestations: [],
        vulnerabilities: { maxSeverity: null, graceDays: 0, allowUnmatched: false, exceptions: [] },
      },
    ],
    [
      'what is accepted without knowing it',
      `${SCHEMA}artifacts: {sbom: {allow_empty: true}, vulnerabilities: {max_severity: low, allow_unmatched: true}}\n`,
      {
        provenance: NOT,
        trailCompliance: NOT,
        attestations: [],
        sbom: { required: false, exceptions: [], allowEmpty: true },
        vulnerabilities: { maxSeverity: 'low', graceDays: 0, allowUnmatched: true, exceptions: [] },
      },
    ],
    [
      'empty rules about components',
      `${SCHEMA}artifacts: {sbom: {}, components: {}}\n`,
      {
        provenance: NOT,
        trailCompliance: NOT,
        attestations: [],
        sbom: { ...NOT, allowEmpty: false },
        components: { deny: [], exceptions: [] },
      },
    ],
  ])('of %s is kept as it came, with its rules', (_, yaml, rules) => {
    expect(read(yaml)).toEqual({ ok: true, value: { yaml, rules } });
  });

  const rule = (text: string) => `${SCHEMA}artifacts:\n  attestations:\n    - ${text}\n`;
  const FIRST = 'artifacts.attestations.0';
  it.each([
    ['no schema', 'artifacts:\n', '_schema', 'Field required (line 1, column 1)'],
    ['a schema that is no URL', '_schema: v1\n', '_schema', expect.stringContaining('ends in /v1 [input: v1] (line 1')],
    [
      'a schema of another version',
      '_schema: https://a.example.com/policy/v2\n',
      '_schema',
      expect.stringContaining('/v1'),
    ],
    ['an unknown key', `${SCHEMA}rules: []\n`, 'rules', 'Unknown key (line 2, column 8)'],
    ['a list', '- a\n', '', 'Input should be an object [input: ["a"]] (line 1, column 1)'],
    [
      'a text for a flag',
      `${SCHEMA}artifacts:\n  provenance: {required: "yes"}\n`,
      'artifacts.provenance.required',
      'Input should be true or false [input: yes] (line 3, column 26)',
    ],
    [
      'a key that no exception has',
      `${SCHEMA}artifacts:\n  provenance: {exceptions: [{unless: "true"}]}\n`,
      'artifacts.provenance.exceptions.0.unless',
      expect.stringContaining('Unknown key'),
    ],
    ['a rule without a type', rule('name: unit'), `${FIRST}.type`, 'Field required (line 4, column 7)'],
    ['an unknown type', rule('type: magic'), `${FIRST}.type`, expect.stringContaining('[input: magic] (line 4')],
    ['a rule for anything', rule('{type: "*"}'), FIRST, expect.stringContaining('not * and * (line 4, column 7)')],
    [
      'a control without a decision',
      rule('{type: generic, for_control: C-1}'),
      `${FIRST}.for_control`,
      expect.stringContaining('Only rules of type decision'),
    ],
    [
      'an expression that cannot be read',
      rule('{type: generic, if: "${{ flow.nam == 1 }}"}'),
      `${FIRST}.if`,
      expect.stringMatching(/^Values are flow\.name.*, at character 1 of \[input: .*\] \(line 4, column 27\)$/),
    ],
    [
      'an expression without a text',
      rule('{type: generic, if: {text: 1}}'),
      `${FIRST}.if.text`,
      expect.stringContaining('Input should be an expression [input: 1]'),
    ],
    [
      'a denied component that is no package URL',
      `${SCHEMA}artifacts:\n  components:\n    deny:\n      - log4j\n`,
      'artifacts.components.deny.0',
      expect.stringMatching(/^Input should be a package URL such as .* \[input: log4j\] \(line 5, column 9\)$/),
    ],
    [
      'a denied component without a package URL',
      `${SCHEMA}artifacts: {components: {deny: [{range: "1"}]}}\n`,
      'artifacts.components.deny.0.purl',
      expect.stringContaining('Field required (line 2'),
    ],
    [
      'a range that is none',
      `${SCHEMA}artifacts: {components: {deny: [{purl: pkg:npm/a, range: "> <"}]}}\n`,
      'artifacts.components.deny.0.range',
      expect.stringMatching(/^Input should be a range such as >=2,<2\.17 \[input: > <\] \(line 2, column 58\)$/),
    ],
    [
      'an interval, which Maven would take for a version',
      `${SCHEMA}artifacts: {components: {deny: [{purl: pkg:maven/g/a, range: "[2.0,2.17)"}]}}\n`,
      'artifacts.components.deny.0.range',
      expect.stringMatching(/^Input should have bounds such as >=2,<2\.17, without brackets and wildcards \[input: /),
    ],
    [
      'a range that is a number',
      `${SCHEMA}artifacts: {components: {deny: [{purl: pkg:npm/a, range: 4.17}]}}\n`,
      'artifacts.components.deny.0.range',
      expect.stringContaining('[input: 4.17]'),
    ],
    [
      'a package URL that is too long',
      `${SCHEMA}artifacts: {components: {deny: [pkg:npm/${'a'.repeat(512)}]}}\n`,
      'artifacts.components.deny.0',
      expect.stringContaining('at most 512 characters [input: pkg:npm/aaa'),
    ],
    [
      'a denied component that is neither a text nor an object',
      `${SCHEMA}artifacts: {components: {deny: [7]}}\n`,
      'artifacts.components.deny.0',
      expect.stringMatching(/^Input should be a package URL such as .* \[input: 7\]/),
    ],
    [
      'an exception of a range without a package URL',
      `${SCHEMA}artifacts: {components: {exceptions: [{range: "1"}]}}\n`,
      'artifacts.components.exceptions.0.purl',
      expect.stringContaining('Field required (line 2'),
    ],
    [
      'an exception without anything',
      `${SCHEMA}artifacts: {components: {exceptions: [{}]}}\n`,
      'artifacts.components.exceptions.0',
      expect.stringContaining('An exception should have one of if, until, purl, range'),
    ],
    [
      'an exception with an empty condition',
      `${SCHEMA}artifacts:\n  sbom:\n    exceptions:\n      - if:\n`,
      'artifacts.sbom.exceptions.0.if',
      expect.stringContaining('Input should be an expression [input: null]'),
    ],
    [
      'too many denied components',
      `${SCHEMA}artifacts:\n  components: {deny: [${'pkg:npm/a,'.repeat(201)}]}\n`,
      'artifacts.components.deny',
      expect.stringContaining('at most 200 [input: 201]'),
    ],
    ['broken YAML', `${SCHEMA}artifacts: [\n`, '', expect.stringContaining('The policy is not valid YAML')],
    [
      'too many rules',
      `${SCHEMA}artifacts:\n  attestations: [${'{type: generic},'.repeat(201)}]\n`,
      'artifacts.attestations',
      expect.stringContaining('at most 200 [input: 201]'),
    ],
  ])('with %s is refused, with its place', (_, yaml, path, text) => {
    expect(read(yaml)).toEqual({ ok: false, refusal: { [path]: text } });
  });

  it('is refused for what its schema knows and for all else at once', () => {
    const yaml = `${SCHEMA}colour: red\nartifacts:\n  attestations: [{}, {type: generic, if: nothing}]\n  sbom: 7\n`;
    expect(read(yaml)).toEqual({
      ok: false,
      refusal: {
        colour: 'Unknown key (line 2, column 9)',
        [`${FIRST}.type`]: 'Field required (line 4, column 18)',
        'artifacts.attestations.1.if': expect.stringContaining('at character 1 of [input: nothing]') as string,
        'artifacts.sbom': 'Input should be an object [input: 7] (line 5, column 9)',
      },
    });
  });

  it.each(['2027-01-31', '2027-02-30T00:00:00Z', '2027-01-31T00:00:00', '1799625600', 'null'])(
    'with an exception until %s is refused',
    (until) => {
      const yaml = `${SCHEMA}artifacts: {sbom: {exceptions: [{until: ${until}}]}}\n`;
      const text = expect.stringContaining('Input should be a time such as 2027-01-31T00:00:00Z [input:') as string;
      expect(read(yaml)).toEqual({ ok: false, refusal: { 'artifacts.sbom.exceptions.0.until': text } });
    },
  );

  it.each([
    ['too large', ' '.repeat(YAML_BYTES_MAX + 1)],
    ['nested without end', '['.repeat(YAML_BYTES_MAX)],
    ['nested without end and closed', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['a list that holds itself', '&a [*a]'],
    ['an object that holds itself', `${SCHEMA}artifacts: &a {provenance: *a}`],
  ])('that is %s is refused', (_, yaml) => {
    expect(read(yaml).ok).toBe(false);
  });

  it('never throws, whatever it holds', () => {
    const words = ['_schema', 'https://a.example.com/v1', 'artifacts', 'provenance', 'required', 'true', 'exceptions'];
    const others = ['if', 'attestations', 'type', 'name', '*', '"*"', 'custom:x', 'for_control', 'null', '${{ true }}'];
    const marks = [':', ': ', ' ', '\n', '\n  ', '\n    ', '- ', '[', ']', '{', '}', ',', '"', "'", '|', '&a ', '*a'];
    const piece = fc.oneof(fc.constantFrom(...words, ...others, ...marks, '!!x', '---', '\t', '%'), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.boolean(), (pieces, started) => {
        expect(typeof read(`${started ? SCHEMA : ''}${pieces.join('')}`).ok).toBe('boolean');
      }),
      { numRuns: 1_000 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => typeof readPolicy(bytes).ok === 'boolean'));
  });
});
