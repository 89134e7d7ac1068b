import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Attack } from '../attack';
import { organizationsOfOneUser, type OwnOrganization } from '../many-organizations';
import { OTHERS } from '../readers';

const CONNECTIONS = 1_200;
const TOGETHER = 50;
const EVERY_MS = 30;
const HELD_MS = 2_000;
/** Of the bodies that take no place before they arrive, and of those that have one while they arrive (bytes). */
const BODIES = [20, 70_000];

/** Two organizations of one user once took all 1,000 places: others got 503 for half a minute. */
export const attack: Attack = {
  name: `one user sends ${CONNECTIONS} bodies slowly through four organizations`,
  async prepare(target) {
    const organizations = await organizationsOfOneUser(target);
    return {
      probe: OTHERS,
      run: async () => {
        for (const bytes of BODIES) {
          const open: Socket[] = [];
          while (open.length < CONNECTIONS) {
            open.push(begin(new URL(target.url), organizations, open.length, bytes));
            // It is about places: how many connections come or go in one moment is another attack.
            if (open.length % TOGETHER === 0) await setTimeout(EVERY_MS);
          }
          await setTimeout(HELD_MS);
          for (const [i, socket] of open.entries()) {
            socket.destroy();
            if (i % TOGETHER === 0) await setTimeout(EVERY_MS);
          }
        }
      },
    };
  },
};

/** Sends all of a report but its end. */
function begin({ hostname, port }: URL, organizations: readonly OwnOrganization[], i: number, bytes: number): Socket {
  const { name, keys } = organizations[i % organizations.length] ?? { name: '', keys: [] };
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  socket.write(
    `PUT /api/v2/environments/${name}/prod/report/docker HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
      `Authorization: Bearer ${keys[i % keys.length]}\r\nContent-Length: ${bytes}\r\n\r\n{`,
  );
  return socket;
}
