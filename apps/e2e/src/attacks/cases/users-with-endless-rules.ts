import { setTimeout } from 'node:timers/promises';
import { ROLES, userKeyOf } from '../../support/declared';
import { fresh } from '../../support/samples';
import type { Attack } from '../attack';
import { askMeanwhile, attestEndless, ENDLESS, typeWith } from '../endless';

/** Of each of four users, who administer organizations of their own: 204 endless rules on all. */
const SENT = 51;
/** This many are sent first, and the others after the first were measured (milliseconds). */
const FIRST = 20;
const LATER_MS = 4_000;
const WHILE_MS = 8_000;
const ASKED = 5;

/** Endless rules by four users, each in their own organization: others once waited for 300 s. */
export const attack: Attack = {
  name: 'four users send 204 attestations whose rules never end',
  leavesWork: true,
  async prepare({ deployment, bystander }) {
    const quick = fresh('quick');
    await typeWith(bystander, 'other', quick, '.coverage >= 80');
    const users = ROLES.map((role) => ({
      caller: bystander.withKey(userKeyOf(role)),
      org: `user-${role}`,
      type: fresh('endless'),
    }));
    for (const { caller, org, type } of users) await typeWith(caller, org, type, ENDLESS);
    return {
      async run() {
        const statuses = new Set<number | null>();
        const patience = AbortSignal.timeout(WHILE_MS);
        const all = users.flatMap(({ caller, org, type }) =>
          Array.from({ length: SENT }, async (_, i) => {
            if (i >= FIRST) await setTimeout(LATER_MS);
            statuses.add(await attestEndless(caller, org, type, patience));
          }),
        );
        const [seen] = await Promise.all([askMeanwhile(bystander, quick, ASKED), ...all]);
        // Two instances share the work, and each may have capacity for all of its part.
        if (deployment === 'embedded' && !statuses.has(429)) throw new Error('who floods was not told to wait');
        return seen;
      },
    };
  },
};
