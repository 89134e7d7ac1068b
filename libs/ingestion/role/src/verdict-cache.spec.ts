import type { Verdict } from '@assurance/contracts-events';
import { VerdictCache } from './verdict-cache';

const rules = {
  provenance: { required: true, exceptions: [] },
  trailCompliance: { required: false, exceptions: [] },
  attestations: [],
};
const policy = { id: 'p', name: 'strict', version: 1, seq: 1, rules };
const standards = { policies: [policy], requireProvenance: false };
const artifact = { fingerprint: 'f', name: 'web:1' };
const known = [{ flow: { id: 'flow', name: 'shop', tags: {}, seq: 3 }, stream: 'trail/flow/build-1', seq: 4 }];
const verdict: Verdict = { compliant: true, allowed: false, reasons: [], contexts: [], policies: [] };

describe('verdicts that were made', () => {
  /** How often a verdict was made when these were asked for, one after the other. */
  const made = (
    cache: VerdictCache,
    ...asked: Parameters<VerdictCache['of']> extends [...infer A, unknown] ? A[] : never
  ) => {
    let count = 0;
    const make = () => {
      count += 1;
      return verdict;
    };
    for (const [by, of, evidence, isAllowed] of asked) cache.of(by, of, evidence, isAllowed, make);
    return count;
  };

  it('are not made again while nothing moved that they follow from', () => {
    const cache = new VerdictCache();
    expect(made(cache, [standards, artifact, known, false])).toBe(1);
    expect(made(cache, [standards, { ...artifact }, [...known], false])).toBe(0);
  });

  it.each([
    ['another version of a policy', [{ ...standards, policies: [{ ...policy, version: 2 }] }, artifact, known, false]],
    ['another policy', [{ ...standards, policies: [] }, artifact, known, false]],
    ['provenance that is required', [{ ...standards, requireProvenance: true }, artifact, known, false]],
    ['another artifact', [standards, { ...artifact, fingerprint: 'g' }, known, false]],
    ['another name', [standards, { ...artifact, name: 'web:2' }, known, false]],
    ['a newer trail', [standards, artifact, known.map((one) => ({ ...one, seq: 5 })), false]],
    ['a newer flow', [standards, artifact, known.map((one) => ({ ...one, flow: { ...one.flow, seq: 4 } })), false]],
    ['one trail more', [standards, artifact, [...known, ...known], false]],
    ['the allow-list', [standards, artifact, known, true]],
  ] as const)('are made anew for %s', (_, asked) => {
    expect(made(new VerdictCache(), [standards, artifact, known, false], [...asked])).toBe(2);
  });

  it('are forgotten of those that were made first, and belong to one cache', () => {
    const cache = new VerdictCache(1);
    const other = { ...artifact, name: 'web:2' };
    expect(made(cache, [standards, artifact, known, false], [standards, other, known, false])).toBe(2);
    expect(made(cache, [standards, artifact, known, false])).toBe(1);
    expect(made(new VerdictCache(), [standards, artifact, known, false])).toBe(1);
  });
});
