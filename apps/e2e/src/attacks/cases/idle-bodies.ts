import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { keyOf } from '../../support/declared';
import type { Attack } from '../attack';

const CONNECTIONS = 8;
const ANNOUNCED = 32 * 1024 * 1024;

/** Four of them once took all the room that there is for bodies, and every write of every organization was refused for as long as they stayed. */
export const attack: Attack = {
  name: 'connections announce bodies of 32 MiB and send nothing',
  onServices: true,
  prepare: ({ url }) =>
    Promise.resolve({
      run: async () => {
        const answers = await Promise.all(Array.from({ length: CONNECTIONS }, () => announce(new URL(url))));
        for (const answer of answers) {
          if (!/^HTTP\/1\.1 408 .*The body did not arrive in time/s.test(answer)) {
            throw new Error(`a body that never came was answered with: ${answer || 'nothing'}`);
          }
        }
      },
    }),
};

/** @returns all that the service answers until it closes the connection */
function announce({ hostname, port }: URL): Promise<string> {
  const socket = connect(Number(port), hostname);
  socket.write(
    'PUT /api/v2/environments/acme/prod/report/docker HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      `Authorization: Bearer ${keyOf('admin')}\r\nContent-Length: ${ANNOUNCED}\r\n\r\n{`,
  );
  return text(socket);
}
