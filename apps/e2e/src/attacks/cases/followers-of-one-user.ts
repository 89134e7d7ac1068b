import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { OTHER_KEY } from '../../support/declared';
import type { Attack } from '../attack';
import { organizationsOfOneUser } from '../many-organizations';
import { OTHERS } from '../readers';

/** As many as one caller may have. */
const OF_A_CALLER = 50;
const EVERY_MS = 30;
const OPEN_MS = 1_000;
/** Of others, who follow meanwhile. */
const MORE = 20;

/** Four organizations of one user could take all 2,000 connections for changes that a gateway has. */
export const attack: Attack = {
  name: 'one user follows the changes of four organizations on 1,600 connections',
  async prepare(target) {
    const organizations = await organizationsOfOneUser(target);
    const all = organizations.flatMap(({ name, keys }) => keys.map((key) => ({ name, key })));
    return {
      probe: OTHERS,
      run: async () => {
        const open: Socket[] = [];
        for (const { name, key } of all) {
          for (let i = 0; i < OF_A_CALLER; i += 1) open.push(follow(new URL(target.url), name, key));
          // It attacks the limit of connections. Many connections at the same moment are another attack.
          await setTimeout(EVERY_MS);
        }
        await setTimeout(OPEN_MS);
        const others = Array.from({ length: MORE }, () => follow(new URL(target.url), 'other', OTHER_KEY));
        await Promise.all(others.map((socket) => once(socket, 'readable')));
        const heads = others.map((socket) => String(socket.read()).slice(0, 12));
        const count = open.filter((socket) => String(socket.read()).startsWith('HTTP/1.1 200')).length;
        for (const socket of [...open, ...others]) socket.destroy();
        const refused = heads.filter((head) => head !== 'HTTP/1.1 200');
        if (refused.length > 0) throw new Error(`others who follow were answered ${refused.join()}`);
        if (count === 0) throw new Error('the user could not follow at all');
      },
    };
  },
};

function follow({ hostname, port }: URL, org: string, key: string): Socket {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET /api/v2/changes/${org} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  return socket;
}
