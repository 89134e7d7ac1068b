import fc from 'fast-check';
import type { Environment, Running } from '@assurance/contracts/environments/documents';
import { sha256 } from '@assurance/kernel';
import { differenceIn, type ReportItem } from '../domain/difference';
import { decideRefresh, refreshedRunning } from '../domain/refresh';
import { collectInSlices, refreshInSlices } from './decide-in-slices';

const T = 1_700_000_000;
const environment = { snapshot: 3, includeScaling: false } as Environment;
/** More than are processed between two reads of the clock. */
const items: fc.Arbitrary<ReportItem[]> = fc
  .array(fc.tuple(fc.constantFrom('web', 'api'), fc.nat(3)), { minLength: 200, maxLength: 200 })
  .map((all) =>
    all.map(([name, age], i) => ({ digests: [[`${name}:${i}`, sha256(`${i}`)]], creationTimestamp: T + age })),
  );

it('finds the changed details of artifacts that keep running, in slices as in one step', async () => {
  const same = fc.asyncProperty(items, items, async (before, now) => {
    const runs = (await collectInSlices(before)).map((artifact): Running => ({
      ...artifact,
      known: 0,
      since: { snapshot: 1, at: T, deployedAt: T },
    }));
    const difference = differenceIn(environment, runs, await collectInSlices(now));
    const refreshed = decideRefresh(difference);
    expect(difference.continued.length + difference.renamed.length).toBe(200);
    expect(await refreshInSlices(runs, difference)).toMatchObject({
      refreshed,
      running: refreshed === null ? runs : refreshedRunning(runs, refreshed),
    });
  });
  await fc.assert(same, { numRuns: 50 });
});
