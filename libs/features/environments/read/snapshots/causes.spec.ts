import type { Verdict } from '@assurance/contracts/policies/events';
import { failsFor, failureCauses } from './causes';

type Judged = Parameters<typeof failsFor>[0];

const attestation = { if: null, name: '*', type: 'snyk', mustBeCompliant: true, forControl: null };
const flag = { required: true, exceptions: [] };
const versionOf: Parameters<typeof failureCauses>[1] = (policy, version) => ({
  ...{ policy, name: `name of ${policy}`, version },
  rules: { provenance: flag, trailCompliance: flag, attestations: [attestation] },
});

const satisfied = { satisfied: true, resolutions: ['rule_satisfied'] } as const;
const judged = (rules: Verdict['policies'][number]['rules'], compliant = false): Judged => ({
  compliant,
  verdict: {
    ...{ compliant, allowed: compliant, reasons: [], contexts: [] },
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
      expect(all.filter((one) => failsFor(one, key))).toHaveLength(count);
    }
    expect(failsFor(withoutScan, 'of no cause')).toBe(false);
  });

  it('are none of what is allowed, complies, or is not judged', async () => {
    const failing = { satisfied: false, resolutions: ['missing_attestation'] } as const;
    const others: Judged[] = [judged([failing], true), { compliant: null, verdict: undefined }];
    expect(await failureCauses(others, versionOf)).toEqual([]);
  });

  it('leave out a policy of which nothing is known', async () => {
    expect(await failureCauses([withoutScan], () => undefined)).toEqual([]);
  });
});
