import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { SLICE_MS } from '@assurance/kernel';
import { ConnectionEnds, takeInTurns } from './take-in-turns';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('requests of a burst', () => {
  /** The time that the code under test reads (milliseconds). It advances only while requests are served. */
  let now = 0;
  let server: Server;
  const served: string[] = [];
  beforeEach(async () => {
    await nextTurn();
    now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    served.length = 0;
    server = createServer((request) => {
      served.push(request.url ?? '');
      now += SLICE_MS;
    });
    takeInTurns(server);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Lets a request arrive. @returns its response */
  function arrive(url: string, key: string, remoteAddress = '192.0.2.1'): { destroyed: boolean } {
    const socket = { remoteAddress, destroyed: false };
    const response = { destroyed: false };
    const request = { url, headers: { authorization: key }, socket };
    server.emit('request', request as IncomingMessage, response as ServerResponse);
    return response;
  }
  async function all(count: number): Promise<number> {
    for (let turns = 0; ; turns += 1) {
      if (served.length >= count) return turns;
      await nextTurn();
    }
  }

  it('are served in turns of the event loop, each of them once and in order', async () => {
    const urls = Array.from({ length: 20 }, (_, i) => `/${i}`);
    for (const url of urls) arrive(url, 'a');
    expect(served).toEqual(['/0']);
    expect(await all(20)).toBeGreaterThanOrEqual(10);
    await nextTurn();
    expect(served).toEqual(urls);
  });

  it.each([
    ['key', 'b', '192.0.2.1'],
    ['address', 'a', '198.51.100.1'],
  ])('do not come before all that another %s asks for', async (_, key, address) => {
    for (let i = 0; i < 20; i += 1) arrive('/burst', 'a');
    arrive('/other', key, address);
    await all(21);
    expect(served.indexOf('/other')).toBeLessThanOrEqual(2);
  });

  it('are not served when their client has gone', async () => {
    arrive('/first', 'a');
    const leaver = arrive('/gone', 'a');
    arrive('/last', 'a');
    leaver.destroyed = true;
    await all(2);
    expect(served).toEqual(['/first', '/last']);
  });
});

describe('connections that end in one moment', () => {
  it('end in several turns of the event loop, each once and in order', async () => {
    const ends = new ConnectionEnds();
    const ended: number[] = [];
    const numbers = Array.from({ length: 100 }, (_, i) => i);
    for (const i of numbers) ends.add(() => ended.push(i));
    const counts = [ended.length];
    while (ended.length < numbers.length) {
      await nextTurn();
      counts.push(ended.length);
    }
    for (const [i, count] of counts.entries()) expect(count - (counts[i - 1] ?? 0)).toBeLessThanOrEqual(6);
    await nextTurn();
    expect(ended).toEqual(numbers);
  });

  it('all end at a server', async () => {
    const open: Socket[] = [];
    const server = createServer();
    takeInTurns(server);
    server.on('connection', (socket) => open.push(socket));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const clients = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    while (open.length < clients.length) await once(server, 'connection');
    const closed = open.map((socket) => once(socket, 'close'));
    for (const socket of open) socket.destroy();
    await Promise.all(closed);
    await new Promise((done) => server.close(done));
  });
});
