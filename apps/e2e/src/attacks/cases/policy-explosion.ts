import { explode, explodingEnvironment, explodingYaml } from '../../support/exploding';
import type { Attack } from '../attack';

const ENVIRONMENTS = 3;
/** Drafts of policies that are judged at once. */
const DRAFTS = 6;

/** Policies of as many rules as can be attached, and drafts of such, before artifacts with long names: judging all of it would take minutes. */
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
        const drafts = Array.from({ length: DRAFTS }, (_, i) => {
          const path = `/policies/acme/${all[i % ENVIRONMENTS]?.policies[0]}/draft`;
          return caller.send('POST', path, { json: { policy_yaml: explodingYaml(100 + i) } });
        });
        for (const { status } of await Promise.all(drafts))
          if (![200, 429].includes(status)) throw new Error(`a draft was answered ${status}`);
        for (const { env, policies } of all) {
          const json = { policy_names: policies };
          await caller.expect(200, 'DELETE', `/environments/acme/${env}/policies`, { json });
        }
      },
    };
  },
};
