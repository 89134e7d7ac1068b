import { digest, environment, item } from '../../support/samples';
import type { Attack } from '../attack';

const CLIENTS = 32;
const ROUNDS = 4;

/** Many clients report to one environment, and none is refused because another one was faster. */
export const attack: Attack = {
  name: `${CLIENTS} clients report to one environment and change it at the same time`,
  onServices: true,
  prepare: async ({ as }) => {
    const member = as('member');
    const env = await environment(member);
    const path = `/environments/acme/${env}`;
    const workOf = async (client: number) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const artifacts = [item({ web: digest(`${env} ${client} ${round}`) })];
        await member.expect(200, 'PUT', `${path}/report/docker`, { json: { artifacts } });
        await member.expect(200, 'PATCH', path, { json: { description: `of client ${client}, round ${round}` } });
      }
    };
    return {
      run: async () => {
        await Promise.all(Array.from({ length: CLIENTS }, (_, client) => workOf(client)));
      },
    };
  },
};
