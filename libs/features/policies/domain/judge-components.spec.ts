import type { ComponentsRule, PolicyRules, SbomRule } from '@assurance/contracts/policies/events';
import type { TrailEvidence } from '@assurance/flows/domain/trail-evidence';
import { type Bill, type DeniedComponents, NO_BILL, mergeDenied } from './bill';
import { judge } from './judge';
import { readRules } from './rules';

const artifact = { fingerprint: 'c0ffee00'.repeat(8), name: 'web:1' };
const inFlow = (name: string): TrailEvidence => ({
  flow: { name, tags: {} },
  first: { trail: 't1' },
  attestations: [],
  artifactStatus: 'COMPLIANT',
  trailStatus: 'COMPLIANT',
});
const NOT = { required: false, exceptions: [] };
const judged = (part: Partial<PolicyRules>, flows: readonly string[], bill: Bill, allowed = false) => {
  const rules = readRules({ provenance: NOT, trailCompliance: NOT, attestations: [], ...part });
  const policies = [{ id: 'p', name: 'libraries', version: 2, rules }];
  const verdict = judge({ policies, requireProvenance: false }, artifact, flows.map(inFlow), allowed, bill);
  const { satisfied, resolutions } = verdict.policies[0]?.rules[2] ?? {};
  return { compliant: verdict.compliant, reasons: verdict.reasons, rule: [satisfied, resolutions] };
};
const bill = (sbom: Bill['sbom'], ...denied: readonly DeniedComponents[]): Bill => ({ sbom, denied: { p: denied } });
const messageOf = (text: string) => `policy 'libraries': ${text}`;

describe('a rule that requires an SBOM', () => {
  const required = (...exceptions: SbomRule['exceptions']) => ({ sbom: { required: true, exceptions } });
  const UNTIL = { if: null, until: 5 };
  const IN_BUILD = { if: 'flow.name == "build"', until: null };
  it.each([
    [required(), ['build'], NO_BILL, false, ['missing_sbom'], [messageOf('the artifact has no SBOM')]],
    [required(), [], NO_BILL, false, [], [messageOf('the artifact has no SBOM')]],
    [required(), ['build'], bill('complete'), true, ['rule_satisfied'], []],
    [
      required(),
      ['build', 'other'],
      bill('incomplete'),
      false,
      ['incomplete_sbom', 'incomplete_sbom'],
      [messageOf('not every component of the SBOM is recorded')],
    ],
    // Versions from before `allowEmpty` was there accept an SBOM without components.
    [required(), ['build'], { ...bill('complete'), isEmpty: true }, true, ['rule_satisfied'], []],
    [
      { sbom: { required: true, exceptions: [], allowEmpty: false } },
      ['build'],
      { ...bill('complete'), isEmpty: true },
      false,
      ['empty_sbom'],
      [messageOf('its SBOM lists no component')],
    ],
    [required(UNTIL), ['build'], NO_BILL, null, ['rule_not_applicable'], []],
    [required(UNTIL), [], NO_BILL, null, [], []],
    [required(IN_BUILD), ['build'], NO_BILL, null, ['rule_not_applicable'], []],
    [
      required(IN_BUILD),
      ['build', 'other'],
      NO_BILL,
      false,
      ['rule_not_applicable', 'missing_sbom'],
      [messageOf('the artifact has no SBOM')],
    ],
    // Without a known flow, no exception applies.
    [required(IN_BUILD), [], NO_BILL, false, [], [messageOf('the artifact has no SBOM')]],
    [{ sbom: NOT }, ['build'], NO_BILL, null, ['rule_not_applicable'], []],
  ] as const)('%j in %j with %j is satisfied: %j', (part, flows, listed, satisfied, resolutions, reasons) => {
    const rule = [satisfied, resolutions];
    expect(judged(part as Partial<PolicyRules>, flows, listed as Bill)).toEqual({
      compliant: satisfied !== false,
      reasons,
      rule,
    });
  });
});

describe('a rule that denies components', () => {
  const LOG4J = { purl: 'pkg:maven/org.apache.logging.log4j/log4j-core', range: '>=2,<2.17' };
  const denying = (...exceptions: ComponentsRule['exceptions']) => ({
    components: { deny: [LOG4J, { purl: 'pkg:npm/left-pad', range: null }], exceptions },
  });
  const denial = (name: string, more: Partial<DeniedComponents> = {}): DeniedComponents => ({
    deny: 0,
    unsure: false,
    exceptions: [],
    first: [`pkg:maven/${name}`],
    count: 1,
    ...more,
  });
  const BY_LOG4J = `is denied by ${LOG4J.purl} ${LOG4J.range}`;
  const DENIED = [messageOf(`component pkg:maven/a ${BY_LOG4J}`)];

  it.each([
    ['a component', denying(), ['build'], bill('complete', denial('a')), false, ['denied_component'], DENIED],
    ['a component of an incomplete SBOM', denying(), ['build'], bill('incomplete', denial('a')), false, null, DENIED],
    ['nothing', denying(), ['build'], bill('complete'), true, ['rule_satisfied'], []],
    ['nothing that another policy denies', denying(), ['build'], { ...bill('complete'), denied: {} }, true, null, []],
    ['nothing without an SBOM, and says so', denying(), ['build'], NO_BILL, null, ['missing_sbom'], []],
    [
      'nothing of an incomplete SBOM, and says so',
      denying(),
      ['build'],
      bill('incomplete'),
      null,
      ['incomplete_sbom'],
      [],
    ],
    ['nothing without provenance', denying(), [], NO_BILL, null, [], []],
    [
      'what one judging cannot read',
      denying(),
      ['build'],
      bill('not-read'),
      false,
      ['incomplete_sbom'],
      [messageOf('the SBOMs list more than one judgement reads')],
    ],
    [
      'what cannot be compared, and says so',
      denying(),
      ['build'],
      bill('complete', denial('a', { unsure: true })),
      false,
      ['denied_component'],
      [messageOf(`component pkg:maven/a ${BY_LOG4J}: its version cannot be compared`)],
    ],
    [
      'nothing that an exception names',
      denying({ if: null, until: null, component: LOG4J }),
      ['build'],
      bill('complete', denial('a', { exceptions: [0] })),
      true,
      ['rule_satisfied'],
      [],
    ],
    [
      'what an exception does not name',
      denying({ if: null, until: null, component: LOG4J }),
      ['build'],
      bill('complete', denial('a'), denial('b', { exceptions: [0] })),
      false,
      null,
      DENIED,
    ],
    [
      'what an exception names for another flow',
      denying({ if: 'flow.name == "build"', until: null, component: LOG4J }),
      ['build', 'other'],
      bill('complete', denial('a', { exceptions: [0] })),
      false,
      ['rule_satisfied', 'denied_component'],
      DENIED,
    ],
    [
      'nothing while an exception is for everything',
      denying({ if: null, until: 9, component: null }),
      ['build'],
      bill('complete', denial('a')),
      null,
      ['rule_not_applicable'],
      [],
    ],
    ['nothing without patterns', { components: { deny: [], exceptions: [] } }, ['build'], NO_BILL, null, null, []],
  ] as const)('denies %s', (_, part, flows, listed, satisfied, resolutions, reasons) => {
    const rule = [satisfied, resolutions ?? expect.any(Array)];
    expect(judged(part as Partial<PolicyRules>, flows, listed as Bill)).toEqual({
      compliant: satisfied !== false,
      reasons,
      rule,
    });
  });

  it('counts less than the allow-list', () =>
    expect(judged(denying(), ['build'], bill('complete', denial('a')), true)).toMatchObject({
      compliant: true,
      reasons: [],
      rule: [false, ['denied_component']],
    }));

  it('names some components and counts the others', () => {
    const first = ['a', 'b', 'c', 'd', 'e'].map((name) => `pkg:npm/${name}`);
    const { reasons } = judged(denying(), ['build'], bill('complete', denial('x', { deny: 1, first, count: 17 })));
    expect(reasons).toEqual([
      ...first.map((purl) => messageOf(`component ${purl} is denied by pkg:npm/left-pad`)),
      messageOf('12 more components are denied'),
    ]);
  });

  it('names few components of many policies', () => {
    const rules = readRules({ provenance: NOT, trailCompliance: NOT, attestations: [], ...denying() });
    const ids = Array.from({ length: 100 }, (_, i) => `p${i}`);
    const policies = ids.map((id) => ({ id, name: id, version: 1, rules }));
    const first = Array.from({ length: 5 }, (_, i) => `pkg:maven/${'x'.repeat(2_000)}/${i}`);
    const denied = Object.fromEntries(ids.map((id) => [id, [denial('a', { first, count: 5 })]]));
    const { reasons } = judge({ policies, requireProvenance: false }, artifact, [inFlow('build')], false, {
      sbom: 'complete',
      denied,
    });
    expect(reasons.length).toBeLessThanOrEqual(130);
    expect(reasons.join('').length).toBeLessThan(20_000);
    expect(reasons.at(-1)).toBe("policy 'p99': 5 components are denied");
  });
});

describe('components of several parts', () => {
  const deniedOf = (first: readonly string[], count = first.length): DeniedComponents => ({
    deny: 0,
    unsure: false,
    exceptions: [1],
    first,
    count,
  });
  it('are one group where the same denies them and the same exceptions name them', () =>
    expect(
      mergeDenied([
        [deniedOf(['a', 'b'])],
        [deniedOf(['c', 'd', 'e', 'f'], 9), { ...deniedOf(['g']), deny: 1 }],
        [deniedOf(['a'])],
      ]),
    ).toEqual([deniedOf(['a', 'b', 'c', 'd', 'e'], 12), { ...deniedOf(['g']), deny: 1 }]));
});
