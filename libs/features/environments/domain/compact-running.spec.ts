import fc from 'fast-check';
import type { Running } from '@assurance/contracts/environments/documents';
import { CompactRunning } from './compact-running';
const artifact: fc.Arbitrary<Running> = fc.record(
  {
    fingerprint: fc.string(),
    name: fc.string(),
    instances: fc.array(fc.nat(), { maxLength: 3 }),
    since: fc.record({ snapshot: fc.nat(), at: fc.nat(), deployedAt: fc.double({ noNaN: true }) }),
    known: fc.nat(),
    judged: fc.record({ compliant: fc.boolean(), failing: fc.array(fc.string()) }),
  },
  { requiredKeys: ['fingerprint', 'name', 'instances', 'since', 'known'], noNullPrototype: true },
);
const packed = (all: readonly Running[]) => CompactRunning.of(all);

describe('packed artifacts', () => {
  it('are unpacked as they were', () => {
    fc.assert(fc.property(fc.array(artifact), (all) => expect(packed(all).artifacts()).toEqual(all)));
  });

  it('need more memory with longer names, more instances and more failing policies', () => {
    const since = { snapshot: 1, at: 1, deployedAt: 1 };
    const run: Running = { fingerprint: 'a', name: 'web', instances: [1], since, known: 0 };
    const sizes = [
      run,
      { ...run, name: 'x'.repeat(1_000) },
      { ...run, instances: Array<number>(1_000).fill(1) },
      { ...run, judged: { compliant: false, failing: Array<string>(1_000).fill('policy') } },
    ].map((artifact) => packed([artifact]).bytes);
    expect(sizes.slice(1).map((size) => size - (sizes[0] ?? 0) >= 997)).toEqual([true, true, true]);
  });
});
