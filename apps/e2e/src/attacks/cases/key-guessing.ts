import { Agent, request } from 'node:http';
import type { Attack } from '../attack';

const GUESSES = 3_000;
const AT_ONCE = 50;
/** This attack uses another address than all others, because the service refuses the address for a minute. */
const ADDRESS = '127.0.0.2';

/** Thousands of wrong keys from one address. */
export const attack: Attack = {
  name: 'somebody guesses keys',
  prepare({ url, bystander }) {
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, localAddress: ADDRESS, family: 4 });
    const guess = (i: number) =>
      new Promise<number>((resolve, reject) => {
        const headers = { authorization: `Bearer guess-${i}` };
        const clientRequest = request(`${url}/api/v2/environments/other`, { agent, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
        });
        clientRequest.on('error', reject).end();
      });
    return Promise.resolve({
      run: async () => {
        const statuses = await Promise.all(Array.from({ length: GUESSES }, (_, i) => guess(i)));
        agent.destroy();
        const refused = (status: number) => statuses.filter((answered) => answered === status).length;
        if (refused(401) + refused(429) !== GUESSES)
          throw new Error(`a guess was answered ${String(new Set(statuses))}`);
        if (refused(401) > GUESSES / 2) throw new Error(`${refused(401)} guesses were looked at`);
        await bystander.get('/environments/other');
      },
    });
  },
};
