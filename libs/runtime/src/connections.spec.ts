import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { connectionLimit, Connections, fileLimit } from './connections';
import { drain } from './drain';

const MOST = 4;
/** Longer than any handshake in these tests. */
const HANDSHAKE_MS = 60_000;
/** TLS without certificates: both sides have the same secret. */
const SHARED = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const;
const psk = Buffer.from('the secret of both sides');

const plain = () => createServer((_request, response) => response.end('done'));
const secure = () =>
  createSecureServer({ ...SHARED, pskCallback: () => psk }, (_request, response) => response.end('done'));

describe('connections', () => {
  const clients: Socket[] = [];
  let server: Server;
  const port = () => (server.address() as AddressInfo).port;
  /** Time that the test adds to real time (milliseconds). */
  let passed = 0;
  const start = async (listener: Server, most = MOST) => {
    server = listener;
    const connections = new Connections(server, most, {
      now: () => performance.now() + passed,
      handshakeMs: HANDSHAKE_MS,
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return connections;
  };
  const silent = async () => {
    const accepted = once(server, 'connection');
    const socket = connect(port(), '127.0.0.1').on('error', () => undefined);
    clients.push(socket);
    await accepted;
    return { closed: once(socket.resume(), 'close') };
  };
  const secured = async () => {
    const options = { ...SHARED, pskCallback: () => ({ psk, identity: 'spec' }), checkServerIdentity: () => undefined };
    const socket = connectSecurely({ host: '127.0.0.1', port: port(), ...options });
    clients.push(socket);
    await once(socket, 'secureConnect');
    return socket;
  };
  const answered = async (agent?: Agent) => {
    const call = request({ host: '127.0.0.1', port: port(), ...(agent === undefined ? { agent: false } : { agent }) });
    const [response] = (await once(call.end(), 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response.statusCode;
  };
  const count = () => new Promise<number>((resolve) => server.getConnections((_fault, open) => resolve(open)));
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  it.each([
    ['plain HTTP', plain],
    ['TLS', secure],
  ])('over %s take the place of the oldest one without a request', async (_, make) => {
    await start(make());
    const all = [];
    for (let i = 0; i < MOST + 2; i += 1) all.push(await silent());
    await Promise.all(all.slice(0, 2).map(({ closed }) => closed));
    expect(await count()).toBe(MOST);
  });

  it('are answered though others say nothing, and all places are taken', async () => {
    await start(plain());
    for (let i = 0; i < MOST; i += 1) await silent();
    expect(await answered()).toBe(200);
  });

  it('take the places of those that wait for their next request', async () => {
    await start(plain());
    const agents = Array.from({ length: MOST }, () => new Agent({ keepAlive: true }));
    for (const agent of agents) expect(await answered(agent)).toBe(200);
    expect(await answered()).toBe(200);
    for (const agent of agents) agent.destroy();
  });

  it('are refused while each of the others has a request under way', async () => {
    await start(createServer());
    const calls = [];
    for (let i = 0; i < MOST; i += 1) {
      const call = request({ host: '127.0.0.1', port: port(), agent: false }).on('error', () => undefined);
      const taken = once(server, 'request');
      calls.push(call.end());
      await taken;
    }
    await (
      await silent()
    ).closed;
    expect([await count(), calls.filter(({ destroyed }) => destroyed)]).toEqual([MOST, []]);
  });

  it('end when their handshake takes too long; those with a finished one stay', async () => {
    await start(secure());
    const finished = await secured();
    const late = await silent();
    clients.at(-1)?.write(Buffer.of(0x16));
    passed += HANDSHAKE_MS;
    await late.closed;
    finished.write('GET / HTTP/1.1\r\nHost: spec\r\n\r\n');
    const [answer] = (await once(finished, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('do not keep a server from ending while their handshake is not finished', async () => {
    const connections = await start(secure());
    const { closed } = await silent();
    await drain(
      {
        server,
        connections,
        listen: () => Promise.resolve(),
        close: () => new Promise((ended) => server.close(ended)),
      },
      { lameDuck: 0, within: 60_000 },
    );
    await closed;
  });
});

describe('the limit of connections', () => {
  it.each([
    [1_024, 512],
    [4_096, 4_096 - 1_384],
    [1_048_576, 20_000],
    [null, 20_000],
  ])('with %j files leaves places for files, servers and threads', (files, most) => {
    expect(connectionLimit(files, 1_000)).toBe(most);
  });

  it('is read from the limits of the process', () => {
    const line = (soft: string) =>
      `Max processes  100  200  processes\nMax open files            ${soft}     4096     files\n`;
    expect([fileLimit(() => line('1024')), fileLimit(() => line('unlimited'))]).toEqual([1_024, null]);
    const missing = () => {
      throw new Error('no such file');
    };
    expect(fileLimit(missing)).toBeNull();
  });
});
