import type { PolicyRules, VulnerabilityException } from '@assurance/contracts/policies/events';
import type { Severity } from '@assurance/contracts/vulnerabilities/events';
import type { TrailEvidence } from '@assurance/flows/domain/trail-evidence';
import { type Bill, NO_BILL } from './bill';
import { judge } from './judge';
import { acceptsUnmatched, readRules } from './rules';
import {
  exceedingOf,
  type ExceedingVulnerabilities,
  type MatchedVulnerability,
  type VulnerableBill,
} from './vulnerable';

const DAY = 24 * 3_600_000;
const AT = 100 * DAY;
const PURL = 'pkg:npm/lib@1.0.0';
const match = (id: string, severity: Severity | null, more: Partial<MatchedVulnerability> = {}) => ({
  id,
  aliases: [],
  severity,
  published: AT - 10 * DAY,
  purl: PURL,
  certain: true,
  ...more,
});
const exceptionFor = (vulnerability: string | null, more: Partial<VulnerabilityException> = {}) => ({
  if: null,
  until: null,
  vulnerability,
  ...more,
});
const rule = (maxSeverity: Severity | null, graceDays = 0, ...exceptions: readonly VulnerabilityException[]) => ({
  maxSeverity,
  graceDays,
  exceptions,
});

describe('the vulnerabilities that a rule does not accept', () => {
  const exceeding = (by: ReturnType<typeof rule>, ...all: readonly MatchedVulnerability[]) => {
    const result = exceedingOf(by, all, AT);
    return [result.exceeding.map(({ exceptions, first }) => [exceptions, first.map(({ id }) => id)]), result.graceEnds];
  };
  const all = [match('L', 'low'), match('C', 'critical'), match('M', 'medium'), match('U', null), match('H', 'high')];

  it.each([
    [null, [[[], ['C', 'U', 'H', 'M', 'L']]]],
    ['low', [[[], ['C', 'U', 'H', 'M']]]],
    ['medium', [[[], ['C', 'U', 'H']]]],
    // An unknown severity counts as critical.
    ['high', [[[], ['C', 'U']]]],
    ['critical', []],
  ] as const)('where the worst is %s', (max, groups) => expect(exceeding(rule(max), ...all)).toEqual([groups, null]));

  it('are accepted for days after their publication, and not without a date', () => {
    const young = match('Y', 'high', { published: AT - 2 * DAY });
    const younger = match('Z', 'high', { published: AT - DAY });
    const undated = match('N', 'high', { published: null });
    expect(exceeding(rule('low', 3), young, younger)).toEqual([[], AT + DAY]);
    expect(exceeding(rule('low', 2), young, younger)).toEqual([[[[], ['Y']]], AT + DAY]);
    expect(exceeding(rule('low', 3_650), undated)).toEqual([[[[], ['N']]], null]);
    // It is no grace period where the severity is accepted.
    expect(exceeding(rule('high', 3), young)).toEqual([[], null]);
  });

  it('are grouped by the exceptions that have one of their names, in any letter case', () => {
    const vulnerability = match('CVE-1', 'high', { aliases: ['GHSA-a'] });
    expect(
      exceeding(
        rule(null, 0, exceptionFor('ghsa-A'), exceptionFor(null), exceptionFor('cve-1')),
        vulnerability,
        match('O', 'low'),
      ),
    ).toEqual([
      [
        [[0, 2], ['CVE-1']],
        [[], ['O']],
      ],
      null,
    ]);
  });
});

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
  const policies = [{ id: 'p', name: 'patched', version: 2, rules }];
  const verdict = judge({ policies, requireProvenance: false }, artifact, flows.map(inFlow), allowed, bill);
  const { satisfied, resolutions } = verdict.policies[0]?.rules.at(-1) ?? {};
  return { compliant: verdict.compliant, reasons: verdict.reasons, rule: [satisfied, resolutions] };
};
const group = (exceptions: readonly number[] = [], more: Partial<ExceedingVulnerabilities> = {}) => ({
  exceptions,
  first: [{ id: 'CVE-1', severity: 'high', purl: PURL, certain: true }],
  count: 1,
  ...more,
});
const bill = (
  sbom: Bill['sbom'],
  knowledge: VulnerableBill['knowledge'],
  ...groups: readonly ReturnType<typeof group>[]
) => ({
  sbom,
  denied: {},
  vulnerable: { knowledge, exceeding: { p: groups }, graceEnds: null },
});
const messageOf = (text: string) => `policy 'patched': ${text}`;
const HAS = [messageOf(`component ${PURL} has CVE-1 (high)`)];

describe('a rule about vulnerabilities', () => {
  const vulnerabilities = (...exceptions: readonly VulnerabilityException[]) => ({
    vulnerabilities: rule('low', 0, ...exceptions),
  });
  it.each([
    ['has a vulnerability', [], ['build'], bill('complete', 'known', group()), false, ['vulnerable_component'], HAS],
    ['has one in a list that is not complete', [], ['build'], bill('incomplete', 'known', group()), false, null, HAS],
    ['has none', [], ['build'], bill('complete', 'known'), true, ['rule_satisfied'], []],
    [
      'has no SBOM',
      [],
      ['build'],
      NO_BILL,
      false,
      ['missing_sbom'],
      [messageOf('nobody knows its vulnerabilities: the artifact has no SBOM')],
    ],
    [
      'is known from nowhere',
      [],
      [],
      NO_BILL,
      false,
      [],
      [messageOf('nobody knows its vulnerabilities: the artifact has no SBOM')],
    ],
    [
      'has an SBOM that is not complete',
      [],
      ['build'],
      bill('incomplete', 'known'),
      false,
      ['incomplete_sbom'],
      [messageOf('nobody knows all its vulnerabilities: not every component of the SBOM is recorded')],
    ],
    [
      'is of an organization without a database',
      [],
      ['build'],
      bill('complete', 'no-database'),
      false,
      ['missing_vulnerabilities'],
      [messageOf('nobody knows its vulnerabilities: no database of vulnerabilities is imported')],
    ],
    [
      'has components that are not compared',
      [],
      ['build'],
      bill('complete', 'not-compared'),
      false,
      ['unmatched_components'],
      [expect.stringContaining('nobody knows its vulnerabilities yet')],
    ],
    [
      'has more than one judgement reads',
      [],
      ['build'],
      bill('complete', 'not-read'),
      false,
      ['unmatched_components'],
      [expect.stringContaining('nobody knows its vulnerabilities yet')],
    ],
    [
      'has one that an exception names',
      [exceptionFor('CVE-1')],
      ['build'],
      bill('complete', 'known', group([0])),
      true,
      ['rule_satisfied'],
      [],
    ],
    [
      'has one that an exception names in one flow of two',
      [exceptionFor('CVE-1', { if: 'flow.name == "build"' })],
      ['build', 'other'],
      bill('complete', 'known', group([0])),
      false,
      ['rule_satisfied', 'vulnerable_component'],
      HAS,
    ],
    ['is an exception', [exceptionFor(null)], ['build'], NO_BILL, null, ['rule_not_applicable'], []],
    ['is an exception, and known from nowhere', [exceptionFor(null)], [], NO_BILL, null, [], []],
    [
      'is an exception in one flow of two',
      [exceptionFor(null, { if: 'flow.name == "build"' })],
      ['build', 'other'],
      bill('complete', 'known'),
      true,
      ['rule_not_applicable', 'rule_satisfied'],
      [],
    ],
  ] as const)('on an artifact that %s', (_, exceptions, flows, listed, satisfied, resolutions, reasons) => {
    const expected = [satisfied, resolutions ?? expect.any(Array)];
    const { compliant, ...result } = judged(vulnerabilities(...exceptions), flows, listed as Bill);
    expect(compliant).toBe(satisfied !== false);
    expect(result).toEqual({ reasons, rule: expected });
  });

  it('counts less than the allow-list', () =>
    expect(judged(vulnerabilities(), ['build'], NO_BILL, true)).toMatchObject({ compliant: true, reasons: [] }));

  it('is told after the rules before it, names some vulnerabilities and counts the others', () => {
    const uncertain = { id: 'CVE-2', severity: null, purl: PURL, certain: false };
    const groups = group([], { first: [...group().first, uncertain], count: 9 } as Partial<ExceedingVulnerabilities>);
    const part = {
      sbom: { required: true, exceptions: [] },
      components: { deny: [], exceptions: [] },
      ...vulnerabilities(),
    };
    expect(judged(part, ['build'], bill('incomplete', 'known', groups) as Bill).reasons).toEqual([
      messageOf('not every component of the SBOM is recorded'),
      ...HAS,
      messageOf(`component ${PURL} may have CVE-2 (of unknown severity): its version cannot be compared`),
      messageOf('its components have 7 more vulnerabilities that are not accepted'),
    ]);
  });

  const KNOWN = bill('complete', 'known');
  const UNMATCHED =
    'nobody knows all its vulnerabilities: it has components that no database can be compared with, such as those without a package URL';
  const EMPTY = 'nobody knows its vulnerabilities: its SBOM lists no component';
  it.each([
    ['components that cannot be compared', false, { unmatched: 2 }, ['incomparable_components'], [UNMATCHED]],
    ['the same, which the rule accepts', true, { unmatched: 2 }, ['rule_satisfied'], []],
    [
      'the same, in a version from before `allowUnmatched` was there',
      undefined,
      { unmatched: 2 },
      ['rule_satisfied'],
      [],
    ],
    ['no component', false, { isEmpty: true }, ['empty_sbom'], [EMPTY]],
    [
      'no component, which the rule about SBOMs accepts',
      false,
      { isEmpty: true, allowEmpty: true },
      ['rule_satisfied'],
      [],
    ],
    ['only components that can be compared', false, { unmatched: 0 }, ['rule_satisfied'], []],
  ] as const)('of an artifact with %s', (_, allowUnmatched, { ...more }, resolutions, reasons) => {
    const { allowEmpty, ...own } = { allowEmpty: undefined, ...more };
    const field = allowUnmatched === undefined ? {} : { allowUnmatched };
    const sbom = allowEmpty === undefined ? {} : { sbom: { required: false, exceptions: [], allowEmpty } };
    const rules = { ...sbom, vulnerabilities: { ...rule('low', 0), ...field } };
    const verdict = judged(rules, ['build'], { ...KNOWN, ...own } as Bill);
    expect(verdict).toMatchObject({ compliant: reasons.length === 0, reasons: reasons.map(messageOf) });
    expect(verdict.rule[1]).toEqual(resolutions);
  });

  it('of a version from before `allowUnmatched` was there accepts what cannot be compared', () => {
    const NOTHING = { provenance: NOT, trailCompliance: NOT, attestations: [] };
    const older = { sbom: { required: true, exceptions: [] }, vulnerabilities: rule('low') };
    const newer = {
      sbom: { ...older.sbom, allowEmpty: false },
      vulnerabilities: { ...rule('low'), allowUnmatched: false },
    };
    const rules = [{}, older, newer, { sbom: older.sbom }, { ...newer, sbom: older.sbom }, { ...older, ...newer }];
    expect(rules.map((one) => acceptsUnmatched({ ...NOTHING, ...one }))).toEqual([
      false,
      true,
      false,
      true,
      true,
      false,
    ]);
    expect(acceptsUnmatched({ ...NOTHING, sbom: NOT })).toBe(false);
  });
});
