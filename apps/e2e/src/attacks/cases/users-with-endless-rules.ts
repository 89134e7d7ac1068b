import { setTimeout } from 'node:timers/promises';
import { ROLES, userKeyOf } from '../../support/declared';
import { fresh } from '../../support/samples';
import type { Attack } from '../attack';
import { askMeanwhile, attestEndless, ENDLESS, typeWith } from '../endless';

/** Of each of four users, who administer organizations of their own: 204 endless rules on all. */
const SENT = 51;
const WHILE_MS = 8_000;
/** One of them goes on until told to wait: another request after each pause (milliseconds). */
const PAUSE_MS = 10;
const ASKED = 5;

/** Endless rules by four users, each in their own organization: others once waited for 300 s. */
export const attack: Attack = {
  name: 'four users send 204 attestations whose rules never end',
  leavesWork: true,
  async prepare({ bystander }) {
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
        const send = async ({ caller, org, type }: (typeof users)[number]) => {
          statuses.add(await attestEndless(caller, org, type, patience));
        };
        const all = users.flatMap((user) => Array.from({ length: SENT }, () => send(user)));
        const [seen] = await Promise.all([askMeanwhile(bystander, quick, ASKED), goesOn(), ...all]);
        if (!statuses.has(429)) throw new Error('who floods was not told to wait');
        return seen;

        async function goesOn(): Promise<void> {
          const [first] = users;
          const more: Promise<void>[] = [];
          while (first !== undefined && !statuses.has(429) && !patience.aborted) {
            more.push(send(first));
            await setTimeout(PAUSE_MS);
          }
          await Promise.all(more);
        }
      },
    };
  },
};
