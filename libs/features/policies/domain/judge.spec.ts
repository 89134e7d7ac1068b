import fc from 'fast-check';
import type { AttestationRule, BooleanRule, PolicyRules, Resolution } from '@assurance/contracts/policies/events';
import type { RuleAttestation, TrailEvidence } from '@assurance/flows/domain/trail-evidence';
import { judge } from './judge';
import { readRules } from './rules';

const artifact = { fingerprint: 'c0ffee00'.repeat(8), name: 'ghcr.io/acme/web:1.4' };

const attestation = (name: string, type: string, compliant = true, control?: string): RuleAttestation => ({
  name,
  type,
  countsAs: type,
  compliant,
  control: control === undefined ? null : { identifier: control },
});

/** Facts about the artifact, by names that rows of the tables use. */
const CONTEXTS = {
  build: {
    flow: { name: 'web-ci', tags: { kind: 'build' } },
    first: { trail: 'a1' },
    artifactStatus: 'COMPLIANT',
    trailStatus: 'COMPLIANT',
    attestations: [attestation('pr', 'pull_request'), attestation('unit', 'junit', false)],
  },
  promotion: {
    flow: { name: 'promotion', tags: {} },
    first: { trail: 'p1' },
    artifactStatus: 'COMPLIANT',
    trailStatus: 'COMPLIANT',
    attestations: [
      attestation('risk', 'decision', true, 'C-1'),
      attestation('cost', 'decision', false, 'C-2'),
      { ...attestation('unit', 'override'), countsAs: 'junit' },
    ],
  },
  failing: {
    flow: { name: 'web-ci', tags: { kind: 'build' } },
    first: { trail: 'a2' },
    artifactStatus: 'INCOMPLETE',
    trailStatus: 'INCOMPLETE',
    attestations: [],
  },
  others: {
    flow: { name: 'web-ci', tags: { kind: 'build' } },
    first: { trail: 'a3' },
    artifactStatus: 'COMPLIANT',
    trailStatus: 'NON-COMPLIANT',
    attestations: [attestation('scan', 'custom:scan', false)],
  },
  legacy: {
    flow: { name: 'old-ci', tags: { kind: 'build' } },
    first: { trail: null },
    artifactStatus: 'INCOMPLETE',
    trailStatus: 'INCOMPLETE',
    attestations: [],
  },
} as const satisfies Record<string, TrailEvidence>;
type Context = keyof typeof CONTEXTS;

const NOT: BooleanRule = { required: false, exceptions: [] };
const rules = (part: Partial<PolicyRules>): PolicyRules => ({
  provenance: NOT,
  trailCompliance: NOT,
  attestations: [],
  ...part,
});
const policy = (part: Partial<PolicyRules>, name = 'build-process') => ({
  id: `id of ${name}`,
  name,
  version: 3,
  rules: readRules(rules(part)),
});
const ruleOf = (part: Partial<AttestationRule>): AttestationRule => ({
  if: null,
  name: '*',
  type: '*',
  mustBeCompliant: true,
  forControl: null,
  ...part,
});
const judged = (part: Partial<PolicyRules>, names: readonly Context[], allowed = false, requireProvenance = false) =>
  judge(
    { policies: [policy(part)], requireProvenance },
    artifact,
    names.map((name) => CONTEXTS[name]),
    allowed,
  );

type Row = readonly [
  rule: object,
  known: readonly Context[],
  satisfied: boolean | null,
  resolutions: readonly Resolution[],
];
const [OK, OFF, MISSING, BAD, IN_TRAIL, OLD] = [
  'rule_satisfied',
  'rule_not_applicable',
  'missing_attestation',
  'non_compliant_attestation',
  'non_compliant_in_trail',
  'legacy_flow',
] as const;

const required = (...exceptions: (string | null)[]): BooleanRule => ({ required: true, exceptions });
const NO_BUILD = 'flow.tags.kind != "build"';

describe('the provenance rule', () => {
  it.each<Row>([
    [NOT, [], null, []],
    [NOT, ['build'], null, [OFF]],
    [NOT, ['legacy'], null, [OFF]],
    [required(), [], false, []],
    [required(), ['build'], true, [OK]],
    [required(), ['failing', 'promotion'], true, [OK, OK]],
    [required(), ['legacy'], true, [OLD]],
    [required(null), ['build'], true, [OK]],
    [required(null), [], false, []],
    [required(NO_BUILD), ['build', 'promotion'], true, [OK, OFF]],
    [required(NO_BUILD), ['promotion'], null, [OFF]],
    [required(NO_BUILD), ['legacy', 'promotion'], true, [OLD, OFF]],
    // Without a known flow, no exception applies.
    [required(NO_BUILD), [], false, []],
    [required('flow.name == "x"', 'matches(artifact.name, "^ghcr")'), ['build'], null, [OFF]],
    [required('flow.name == "x"', 'matches(artifact.name, "^ghcr")'), [], null, []],
    [required('artifact.name == "other"'), [], false, []],
  ])('%j in %j is satisfied: %j', (rule, names, satisfied, resolutions) => {
    const { policies } = judged({ provenance: rule as BooleanRule }, names);
    expect(policies[0]?.rules[0]).toEqual({ satisfied, resolutions });
  });
});

describe('the rule of trail compliance', () => {
  it.each<Row>([
    [NOT, ['failing'], null, [OFF]],
    [required(), [], false, []],
    [required(), ['build'], true, [OK]],
    [required(), ['failing'], false, [IN_TRAIL]],
    // The artifact's own attestations are there, those of its trail are not.
    [required(), ['others'], false, [IN_TRAIL]],
    [required(), ['failing', 'build'], true, [IN_TRAIL, OK]],
    [required(), ['legacy'], true, [OLD]],
    [required(NO_BUILD), ['failing', 'promotion'], false, [IN_TRAIL, OFF]],
    [required(NO_BUILD), ['promotion'], null, [OFF]],
  ])('%j in %j is satisfied: %j', (rule, names, satisfied, resolutions) => {
    const { policies } = judged({ trailCompliance: rule as BooleanRule }, names);
    expect(policies[0]?.rules[1]).toEqual({ satisfied, resolutions });
  });
});

describe('an attestation rule', () => {
  const BUILD = 'flow.tags.kind == "build"';
  it.each<Row>([
    [{ type: 'pull_request' }, [], false, []],
    [{ type: 'pull_request', if: BUILD }, [], null, []],
    [{ type: 'pull_request', if: 'matches(artifact.name, "acme")' }, [], false, []],
    [{ type: 'pull_request' }, ['build'], true, [OK]],
    [{ type: 'pull_request', if: BUILD }, ['build', 'promotion'], true, [OK, OFF]],
    [{ type: 'pull_request' }, ['build', 'promotion'], true, [OK, MISSING]],
    [{ type: 'pull_request', if: BUILD }, ['promotion'], null, [OFF]],
    [{ type: 'pull_request' }, ['failing'], false, [MISSING]],
    [{ type: 'pull_request', name: 'pr' }, ['build'], true, [OK]],
    [{ type: 'pull_request', name: 'other' }, ['build'], false, [MISSING]],
    [{ type: 'snyk', name: 'pr' }, ['build'], false, [MISSING]],
    [{ name: 'pr' }, ['build'], true, [OK]],
    [{ name: 'unit' }, ['build'], false, [BAD]],
    [{ name: 'unit', mustBeCompliant: false }, ['build'], true, [OK]],
    [{ name: 'gone', mustBeCompliant: false }, ['build'], false, [MISSING]],
    [{ type: 'junit' }, ['build', 'promotion'], true, [BAD, OK]],
    [{ type: 'custom:scan' }, ['others'], false, [BAD]],
    [{ type: 'custom:other' }, ['others'], false, [MISSING]],
    // An override stands for its name whatever the type, and for other names by the type it counts as.
    [{ name: 'unit', type: 'snyk' }, ['promotion'], true, [OK]],
    [{ type: 'snyk' }, ['promotion'], false, [MISSING]],
    [{ type: 'decision', forControl: 'C-1' }, ['promotion'], true, [OK]],
    [{ type: 'decision', forControl: 'C-2' }, ['promotion'], false, [BAD]],
    [{ type: 'decision', forControl: 'C-3' }, ['promotion', 'build'], false, [MISSING, MISSING]],
    [{ type: 'decision' }, ['promotion'], true, [OK]],
    [{ type: 'pull_request' }, ['legacy'], false, [OLD]],
    [{ type: 'pull_request' }, ['legacy', 'build'], true, [OLD, OK]],
    [{ type: 'pull_request', if: 'flow.name == "web-ci"' }, ['legacy'], null, [OFF]],
  ])('%j in %j is satisfied: %j', (rule, names, satisfied, resolutions) => {
    const { policies } = judged({ attestations: [ruleOf(rule)] }, names);
    expect(policies[0]?.rules[2]).toEqual({ satisfied, resolutions });
  });
});

describe('a verdict', () => {
  it('is compliant when no rule of any policy is unsatisfied, and says where the artifact was known', () => {
    expect(judged({ provenance: required() }, ['build', 'legacy'])).toMatchObject({
      compliant: true,
      allowed: false,
      reasons: [],
      contexts: [
        { flow: 'web-ci', trail: 'a1', status: 'COMPLIANT' },
        { flow: 'old-ci', trail: null, status: 'INCOMPLETE' },
      ],
      policies: [{ policy: 'id of build-process', version: 3, compliant: true }],
    });
    expect(judged({}, []).compliant).toBe(true);
  });

  it('fails by one rule of one policy', () => {
    const policies = [policy({}, 'lenient'), policy({ provenance: required() }, 'strict')];
    const verdict = judge({ policies, requireProvenance: false }, artifact, [], false);
    expect(verdict).toMatchObject({ compliant: false, policies: [{ compliant: true }, { compliant: false }] });
    expect(verdict.reasons).toEqual(["policy 'strict': the artifact has no provenance"]);
  });

  it('is compliant for an allowed artifact, and still has the verdicts of policies', () => {
    expect(judged({ provenance: required() }, [], true)).toMatchObject({
      compliant: true,
      allowed: true,
      reasons: [],
      policies: [{ compliant: false }],
    });
  });

  it.each<[readonly Context[], boolean, boolean]>([
    [[], false, false],
    [[], true, true],
    [['failing'], false, true],
  ])('where provenance is required of %j, allowed %j: %j', (names, allowed, compliant) => {
    const verdict = judged({}, names, allowed, true);
    expect(verdict.compliant).toBe(compliant);
    expect(verdict.reasons).toEqual(
      compliant ? [] : ['the environment requires provenance, and the artifact has none'],
    );
  });

  it('explains in words what is missing, and where', () => {
    const { reasons } = judged(
      {
        trailCompliance: required(),
        attestations: [
          ruleOf({ type: 'snyk' }),
          ruleOf({ type: 'decision', forControl: 'C-9' }),
          ruleOf({ name: 'scan', type: 'custom:scan' }),
        ],
      },
      ['failing', 'others'],
    );
    expect(reasons).toEqual([
      "policy 'build-process': the artifact is not compliant in trail 'a2' of flow 'web-ci' and 1 more",
      "policy 'build-process': the '*' attestation of type snyk is missing in trail 'a2' of flow 'web-ci' and 1 more",
      "policy 'build-process': the decision for control 'C-9' is missing in trail 'a2' of flow 'web-ci' and 1 more",
      "policy 'build-process': the 'scan' attestation of type custom:scan is non-compliant in trail 'a2' of flow 'web-ci' and 1 more",
    ]);
  });

  it('has a resolution for each flow and trail whatever the rules, and follows from them alone', () => {
    const boolean = fc.record({
      required: fc.boolean(),
      exceptions: fc.array(fc.constantFrom(null, NO_BUILD, 'true', 'artifact.name == "x"'), { maxLength: 2 }),
    });
    const attestations = fc.array(
      fc.record({
        if: fc.constantFrom(null, NO_BUILD, 'not (flow.name == "web-ci")'),
        name: fc.constantFrom('*', 'unit', 'pr'),
        type: fc.constantFrom('*', 'junit', 'decision'),
        mustBeCompliant: fc.boolean(),
        forControl: fc.constantFrom(null, 'C-1'),
      }),
      { maxLength: 3 },
    );
    const contexts = fc.array(fc.constantFrom(...(Object.keys(CONTEXTS) as Context[])), { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.record({ provenance: boolean, trailCompliance: boolean, attestations }),
        contexts,
        (part, names) => {
          const verdict = judged(part, names);
          const all = verdict.policies.flatMap((rule) => rule.rules);
          expect(all).toHaveLength(2 + part.attestations.length);
          for (const { satisfied, resolutions } of all) {
            expect(resolutions).toHaveLength(names.length);
            if (names.length > 0)
              expect(satisfied === null).toBe(resolutions.every((resolution) => resolution === OFF));
          }
          expect(verdict.compliant).toBe(all.every(({ satisfied }) => satisfied !== false));
          expect(verdict.reasons).toHaveLength(all.filter(({ satisfied }) => satisfied === false).length);
        },
      ),
    );
  });
});
