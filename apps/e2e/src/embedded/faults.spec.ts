import { StoreUnavailable } from '@assurance/storage-ports';
import { type AcknowledgedReport, complete, reportManyTimes } from '../support/acknowledged';
import { keyOf } from '../support/declared';
import { startLoose } from '../support/deployments';
import { environment } from '../support/samples';
import { worldOf } from '../support/world';

/** Every so many steps of the storage one fails, as if the process had ended there. */
const EVERY = 97;
const ENOUGH = 150;

describe('a service whose storage fails between any two steps', () => {
  it('keeps each acknowledged report once and without gaps', async () => {
    let failing = false;
    let steps = 0;
    let failed = 0;
    const service = await startLoose({}, () => {
      steps += 1;
      if (!failing || steps % EVERY !== 0) return;
      failed += 1;
      throw new StoreUnavailable('the storage failed, as the test asked');
    });
    const caller = (await worldOf(service)).as('member');
    const environments = await Promise.all([1, 2, 3, 4].map(() => environment(caller)));
    const all: AcknowledgedReport[] = [];
    failing = true;
    for (let round = 1; all.length < ENOUGH; round += 1) {
      const until = failed + 50;
      const over = () => failed >= until;
      all.push(...(await reportManyTimes(caller, { run: `faults-${round}`, environments, over, gone: () => false })));
    }
    failing = false;
    // A batch for the views that failed as a whole is delivered again as a whole, so they may have much to catch up with.
    const list = `${service.url}/api/v2/deployments/acme`;
    const headers = { authorization: `Bearer ${keyOf('member')}` };
    while ((await fetch(list, { headers })).headers.has('x-assurance-behind'));
    await complete(caller, environments, all);
    await service.stop();
    const strange = service.faults.filter((line) => !line.includes('the storage failed, as the test asked'));
    expect(strange).toEqual([]);
  }, 120_000);
});
