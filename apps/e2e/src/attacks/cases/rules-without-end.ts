import { setTimeout } from 'node:timers/promises';
import { fresh } from '../../support/samples';
import type { Attack } from '../attack';
import { askMeanwhile, attestEndless, ENDLESS, typeWith } from '../endless';

const SENT = 100;
const WHILE_MS = 6_000;
/** How often the other organization has a rule of its own run meanwhile. */
const ASKED = 5;

/** jq rules that never end, sent by many requests at once. */
export const attack: Attack = {
  name: 'a hundred attestations come whose rules never end',
  leavesWork: true,
  async prepare({ as, bystander }) {
    const caller = as('member');
    const [endless, quick] = [fresh('endless'), fresh('quick')];
    await typeWith(caller, 'acme', endless, ENDLESS);
    await typeWith(bystander, 'other', quick, '.coverage >= 80');
    return {
      async run() {
        const all = Array.from({ length: SENT }, () => attestEndless(caller, 'acme', endless));
        // Whoever is ended with the test is not waited for.
        const attacked = Promise.race([Promise.all(all), setTimeout(WHILE_MS)]);
        const seen = await askMeanwhile(bystander, quick, ASKED);
        await attacked;
        await Promise.allSettled(all);
        return seen;
      },
    };
  },
};
