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
        const patience = AbortSignal.timeout(WHILE_MS);
        const all = Promise.all(Array.from({ length: SENT }, () => attestEndless(caller, 'acme', endless, patience)));
        const [seen] = await Promise.all([askMeanwhile(bystander, quick, ASKED), all]);
        return seen;
      },
    };
  },
};
