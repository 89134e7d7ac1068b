import type { PolicyVerdict, Verdict } from '@assurance/contracts/policies/events';
import fc from 'fast-check';
import { decodeVerdict, VerdictEncoder } from './verdict-encoding';

const policy = (name: string, satisfied: boolean | null): PolicyVerdict => ({
  policy: name,
  version: 1,
  compliant: satisfied !== false,
  rules: [{ satisfied, resolutions: satisfied === true ? ['rule_satisfied'] : ['rule_not_applicable'] }],
});
const verdict = (trail: string, policies: readonly PolicyVerdict[]): Verdict => ({
  compliant: policies.every(({ compliant }) => compliant),
  allowed: false,
  reasons: [],
  contexts: [{ flow: 'web', trail, status: 'COMPLIANT' }],
  policies,
});
const verdicts = fc.array(
  fc
    .tuple(
      fc.string(),
      fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom(true, false, null)), { maxLength: 3 }),
    )
    .map(([trail, of]) =>
      verdict(
        trail,
        of.map(([name, satisfied]) => policy(name, satisfied)),
      ),
    ),
);

describe('verdicts of one event', () => {
  it('are unchanged after packing and unpacking in any version', () => {
    fc.assert(
      fc.property(verdicts, (all) => {
        const packer = new VerdictEncoder();
        const artifacts = all.map((verdict) => packer.encode(verdict));
        const { policies, artifacts: read } = JSON.parse(JSON.stringify({ policies: packer.policies, artifacts })) as {
          policies: PolicyVerdict[][];
          artifacts: typeof artifacts;
        };
        expect(read.map((encoded) => decodeVerdict({ policies }, encoded))).toEqual(all);
        expect(new Set(policies.map((policy) => JSON.stringify(policy))).size).toBe(policies.length);
      }),
    );
  });

  it('store a result of policies once for a thousand artifacts', () => {
    const packer = new VerdictEncoder();
    for (let i = 0; i < 1_000; i += 1) packer.encode(verdict(`trail-${i}`, [policy('a', true), policy('b', null)]));
    expect(packer.policies).toEqual([[policy('a', true), policy('b', null)]]);
  });

  it('are read from version 1 as well, where each has its own', () => {
    const old = verdict('trail-1', [policy('a', false)]);
    expect(decodeVerdict({}, old)).toEqual(old);
  });

  it('are missing, not invented, if the event lost the results that they refer to', () => {
    expect(() => decodeVerdict({ policies: [] }, { ...verdict('trail-1', []), policies: 0 })).toThrow(
      'does not keep it',
    );
  });
});
