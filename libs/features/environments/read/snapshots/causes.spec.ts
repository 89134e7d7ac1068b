import type { Verdict } from '@assurance/contracts/policies/events';
import { failingFor, failureCauses } from './causes';

type JudgedArtifact = Parameters<ReturnType<typeof failingFor>>[0];

const attestation = { if: null, name: '*', type: 'snyk', mustBeCompliant: true, forControl: null };
const flag = { required: true, exceptions: [] };
const versionOf: Parameters<typeof failureCauses>[1] = (policy, version) => ({
  policy,
  name: `name of ${policy}`,
  version,
  rules: { provenance: flag, trailCompliance: flag, attestations: [attestation] },
});

const satisfied = { satisfied: true, resolutions: ['rule_satisfied'] } as const;
const judged = (rules: Verdict['policies'][number]['rules'], compliant = false): JudgedArtifact => ({
  compliant,
  verdict: {
    compliant,
    allowed: compliant,
    reasons: [],
    contexts: [],
    policies: [{ policy: 'p', version: 3, compliant: false, rules }],
  },
});
const withoutScan = judged([
  satisfied,
  satisfied,
  { satisfied: false, resolutions: ['rule_satisfied', 'missing_attestation'] },
]);
const withoutProvenance = judged([
  { satisfied: false, resolutions: [] },
  { satisfied: null, resolutions: [] },
]);

/** The same, judged by another policy too. */
const byTwoPolicies = ({ compliant, verdict }: JudgedArtifact): JudgedArtifact => {
  if (verdict === undefined) throw new Error('it is not judged');
  const policies = verdict.policies.flatMap((policyVerdict) => [policyVerdict, { ...policyVerdict, policy: 'q' }]);
  return { compliant, verdict: { ...verdict, policies } };
};

describe('causes of failures', () => {
  it('are counted by rule and by how it fails, the most frequent one first', async () => {
    const causes = await failureCauses([withoutProvenance, withoutScan, withoutScan], versionOf);
    expect(
      causes.map(({ rule: { type }, resolution, count, policy_name }) => [policy_name, type, resolution, count]),
    ).toEqual([
      ['name of p', 'attestation', 'missing_attestation', 2],
      ['name of p', 'provenance', null, 1],
    ]);
  });

  it('select the artifacts that they count', async () => {
    const all = [withoutProvenance, withoutScan, withoutScan];
    for (const { key, count } of await failureCauses(all, versionOf)) {
      expect(all.filter(failingFor(key, versionOf))).toHaveLength(count);
    }
    expect(failingFor('of no cause', versionOf)(withoutScan)).toBe(false);
  });

  it('of several policies are one failure, which counts each artifact once', async () => {
    const all = [withoutProvenance, withoutScan, byTwoPolicies(withoutProvenance), byTwoPolicies(withoutScan)];
    const causes = await failureCauses(all, versionOf);
    expect(causes.map(({ policy_name, count, failure_count }) => [policy_name, count, failure_count]).sort()).toEqual([
      ['name of p', 2, 2],
      ['name of p', 2, 2],
      ['name of q', 1, 2],
      ['name of q', 1, 2],
    ]);
    const failures = new Set(causes.map(({ failure }) => failure));
    expect(failures.size).toBe(2);
    for (const failure of failures) expect(all.filter(failingFor(failure, versionOf))).toHaveLength(2);
  });

  it('of artifacts that no flow knows are one, whatever is demanded', async () => {
    const unknown = judged([{ satisfied: false, resolutions: [] }, satisfied, { satisfied: false, resolutions: [] }]);
    const causes = await failureCauses([unknown], versionOf);
    expect(causes.map(({ rule: { type }, failure, failure_count }) => [type, failure, failure_count])).toEqual([
      ['provenance', 'unknown', 1],
      ['attestation', 'unknown', 1],
    ]);
  });

  it('are empty for an artifact that is allowed, complies, or is not judged', async () => {
    const failing = { satisfied: false, resolutions: ['missing_attestation'] } as const;
    const others: JudgedArtifact[] = [judged([failing], true), { compliant: null, verdict: undefined }];
    expect(await failureCauses(others, versionOf)).toEqual([]);
  });

  it('leave out an unknown policy', async () => {
    expect(await failureCauses([withoutScan], () => undefined)).toEqual([]);
  });
});
