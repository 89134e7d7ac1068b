import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { connect, type Server } from 'node:net';
import { platform } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { drain, type Listener } from './drain';
import { listen } from './listen';
import { moreSockets } from './listening-sockets';

const AT_ONCE = 64;
/** Only Linux spreads connections over sockets. */
const SPREAD = platform() === 'linux';

describe('moreSockets', () => {
  let listener: Listener;
  let port: number;
  beforeEach(async () => {
    const server = createServer((_request, response) => response.end('done'));
    listener = {
      server,
      more: moreSockets(server),
      listen: (address) => once(server.listen(address), 'listening'),
      close: () => new Promise((closed) => server.close(closed)),
    };
    const listening = await listen(listener, { host: '127.0.0.1', port: 0 });
    if (!listening.ok) throw new Error(listening.refusal);
    port = listening.value;
  });

  it('accept several connections in one turn of the event loop', async () => {
    const clients = Array.from({ length: AT_ONCE }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    let accepted = 0;
    listener.server.on('connection', () => (accepted += 1));
    let turns = 0;
    for (; accepted < AT_ONCE; turns += 1) await turn();
    for (const client of clients) client.destroy();
    await drain(listener, { lameDuck: 0, within: 1_000 });
    expect(turns).toBeLessThan(SPREAD ? AT_ONCE / 2 : Infinity);
  });

  it('answer on every connection, and end with the server', async () => {
    const answers = Array.from({ length: AT_ONCE }, async () => {
      const [response] = (await once(request({ port, agent: false }).end(), 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    });
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    await drain(listener, { lameDuck: 1_000, within: 1_000 });
    expect([listener.server, ...(listener.more ?? [])].filter((server: Server) => server.listening)).toEqual([]);
    await expect(once(request({ port }).end(), 'response')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
