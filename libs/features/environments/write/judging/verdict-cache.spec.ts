import type { Verdict } from '@assurance/contracts/policies/events';
import type { StandardsInForce } from './standards-in-force';
import { VerdictCache } from './verdict-cache';

const rules = {
  provenance: { required: true, exceptions: [] },
  trailCompliance: { required: false, exceptions: [] },
  attestations: [],
};
const policy = { id: 'p', name: 'strict', version: 1, seq: 1, ended: 0, rules };
const standards = { policies: [policy], requireProvenance: false };
const artifact = { fingerprint: 'f', name: 'web:1' };
const known = [{ flow: { id: 'flow', name: 'shop', tags: {}, seq: 3 }, stream: 'trail/flow/build-1', seq: 4 }];
const verdict: Verdict = { compliant: true, allowed: false, reasons: [], contexts: [], policies: [] };

describe('verdicts that were made', () => {
  /** How often a verdict was made when these were asked for, one after the other. */
  const made = (
    cache: VerdictCache,
    ...asked: (readonly [
      by: StandardsInForce,
      of: typeof artifact,
      evidence: readonly (typeof known)[number][],
      allowed: boolean,
    ])[]
  ) => {
    let count = 0;
    for (const [by, of, evidence, allowed] of asked) {
      const item = { artifact: of, evidence, allowed };
      const remembered = cache.forStandards(by, null);
      if (remembered.get(item) !== undefined) continue;
      remembered.set(item, verdict);
      count += 1;
    }
    return count;
  };

  it('are not computed again while their facts are unchanged', () => {
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
    ['a newer trail', [standards, artifact, known.map((trail) => ({ ...trail, seq: 5 })), false]],
    [
      'a newer flow',
      [standards, artifact, known.map((trail) => ({ ...trail, flow: { ...trail.flow, seq: 4 } })), false],
    ],
    ['one trail more', [standards, artifact, [...known, ...known], false]],
    ['the allow-list', [standards, artifact, known, true]],
  ] as const)('are made anew for %s', (_, asked) => {
    expect(made(new VerdictCache(), [standards, artifact, known, false], asked)).toBe(2);
  });

  it('are evicted oldest first, and belong to one cache', () => {
    const cache = new VerdictCache(500);
    const other = { ...artifact, name: 'web:2' };
    expect(made(cache, [standards, artifact, known, false], [standards, other, known, false])).toBe(2);
    expect(made(cache, [standards, artifact, known, false])).toBe(1);
    expect(made(new VerdictCache(), [standards, artifact, known, false])).toBe(1);
  });

  it('are computed again when other entries of databases are known', () => {
    const [cache, item] = [new VerdictCache(), { artifact, evidence: known, allowed: false }];
    cache.forStandards(standards, '1/7').set(item, verdict);
    const at = (revision: string | null) => cache.forStandards(standards, revision).get(item);
    expect([at('1/7'), at('1/8'), at('2/7'), at(null)]).toEqual([verdict, undefined, undefined, undefined]);
  });

  it('stay within the limit of bytes, however long their texts are; shared texts count once', () => {
    const rule = { rule: 'provenance', satisfied: false, reason: 'r'.repeat(10_000) };
    const policies = [{ id: 'p', name: 'strict', version: 1, compliant: false, rules: [rule] }];
    const remembered = (of: () => Partial<Verdict>) => {
      const cache = new VerdictCache(100_000).forStandards(standards, null);
      const all = Array.from({ length: 50 }, (_, i) => ({
        artifact: { fingerprint: `f${i}`, name: 'web' },
        evidence: known,
        allowed: false,
      }));
      for (const key of all) cache.set(key, { ...verdict, ...of() });
      return all.filter((key) => cache.get(key) !== undefined).length;
    };
    expect(remembered(() => ({ reasons: ['r'.repeat(10_000)] }))).toBe(4);
    expect(remembered(() => ({ policies: structuredClone(policies) as unknown as Verdict['policies'] }))).toBe(4);
    expect(remembered(() => ({ policies: policies as unknown as Verdict['policies'] }))).toBe(50);
  });
});
