import { explode, explodingEnvironment } from '../../support/exploding';
import type { Attack } from '../attack';

const ENVIRONMENTS = 3;

/** Policies of as many rules as can be attached, before artifacts with long names: judging all of it would take minutes. */
export const attack: Attack = {
  name: 'policies of 400 regular expressions judge 3,000 artifacts with names of 400 characters',
  leavesWork: true,
  async prepare({ as }) {
    const caller = as('member');
    const all: Awaited<ReturnType<typeof explodingEnvironment>>[] = [];
    for (let i = 0; i < ENVIRONMENTS; i += 1) all.push(await explodingEnvironment(caller));
    return {
      async run() {
        await Promise.all(all.map(({ env }) => explode(caller, env, env)));
        for (const { env, policies } of all) {
          const json = { policy_names: policies };
          await caller.expect(200, 'DELETE', `/environments/acme/${env}/policies`, { json });
        }
      },
    };
  },
};
