import type { SnapshotChange } from '@assurance/contracts-events';
import { atOnce } from '@assurance/kernel';
import { byKey, keyText, type Running, runningOf } from '@assurance/model';
import fc from 'fast-check';
import { differenceOf, type Reported } from './difference';
import { runningAfter } from './judged';

/** Few fingerprints and names, so that most meet; an unknown fingerprint is ''. */
const key = fc.record({
  fingerprint: fc.constantFrom('', 'aa', 'bb'),
  name: fc.constantFrom('web', 'api', 'db', 'job'),
});
const artifacts = fc.uniqueArray(
  fc
    .record({ key, instances: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }) })
    .map(({ key, instances }) => ({ ...key, instances })),
  { selector: keyText, maxLength: 12 },
);
const since = { snapshot: 1, at: 0, deployedAt: 0 };
const running = artifacts.map((all) => all.map((one): Running => ({ ...one, since, known: 0 })));
const changes = fc.array(
  fc.record({ key, now: fc.nat(2) }).map(({ key, now }) => {
    const change = { ...key, now, instances: Array<number>(now).fill(7), since, flows: [], compliant: null };
    return change as unknown as SnapshotChange;
  }),
  { maxLength: 12 },
);

describe('what runs', () => {
  it('after changes is what a map by artifact would hold, in its order', () =>
    fc.assert(
      fc.property(running, changes, (before, all) => {
        const after = new Map(before.map((artifact) => [keyText(artifact), artifact]));
        for (const change of all) {
          if (change.now === 0) after.delete(keyText(change));
          else after.set(keyText(change), runningOf(change));
        }
        expect(atOnce(runningAfter(before, all))).toEqual([...after.values()]);
      }),
    ));

  it('differs from a report by artifact, and by instances where they count', () =>
    fc.assert(
      fc.property(running, artifacts, fc.boolean(), (before, reported: readonly Reported[], scaling) => {
        const sorted = [...reported].sort(byKey);
        const was = new Map(before.map((artifact) => [keyText(artifact), artifact]));
        const is = new Map(reported.map((artifact) => [keyText(artifact), artifact]));
        const scaled = sorted.flatMap((now) => {
          const artifact = was.get(keyText(now));
          const same = artifact === undefined || artifact.instances.length === now.instances.length;
          return same || !scaling ? [] : [{ before: artifact, now }];
        });
        expect(atOnce(differenceOf(before, reported, scaling))).toEqual({
          started: sorted.filter((one) => !was.has(keyText(one))),
          exited: before.filter((one) => !is.has(keyText(one))),
          scaled,
        });
      }),
    ));
});
