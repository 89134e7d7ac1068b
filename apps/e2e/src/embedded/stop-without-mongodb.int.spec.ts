import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import * as os from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { BOOTSTRAP } from '../support/declared';
import { closeConnections } from '../support/exchange';
import { Place } from '../support/process';
import { servers } from '../support/servers';

const PAGE = join(__dirname, '../../../../docs/operating/running.md');

/** Stands before a server; what it forwards stops as in a network that drops all packets. */
async function silencer(url: string) {
  const client = new MongoClient(url, { runtimeAdapters: { os } });
  const { primary } = await client.db('admin').command({ hello: 1 });
  await client.close();
  const [host = '', port] = String(primary).split(':');
  const sockets: Socket[] = [];
  let silent = false;
  const proxy = createServer((caller) => {
    const server = connect(Number(port), host);
    caller.pipe(server).pipe(caller);
    for (const [socket, other] of [
      [caller, server],
      [server, caller],
    ] as const) {
      sockets.push(socket);
      socket.on('error', () => undefined).on('close', () => other.destroy());
      if (silent) socket.unpipe().pause();
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const through = new URL(
    url.replace(/^mongodb:\/\/((?:[^@/]*@)?)[^/?]*/, `mongodb://$1127.0.0.1:${(proxy.address() as AddressInfo).port}`),
  );
  through.search = '?directConnection=true&connectTimeoutMS=2000';
  return {
    url: through.href,
    silence() {
      silent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

describe('a service that is asked to stop while MongoDB answers nothing', () => {
  const place = new Place();
  afterAll(() => place.clear());

  it('ends within the documented time', async () => {
    const settings = servers();
    const mongodb = await silencer(settings['MONGODB_URL'] ?? '');
    try {
      const service = place.start({
        ...settings,
        MONGODB_URL: mongodb.url,
        ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
        ASSURANCE_OPERATIONS_PORT: '0',
        ASSURANCE_LOG_LEVEL: 'fatal',
      });
      await service.url();
      mongodb.silence();
      closeConnections();
      const [, seconds] = /at most (\d+) s after the signal/.exec(readFileSync(PAGE, 'utf8')) ?? [];
      const since = performance.now();
      service.child.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      expect((performance.now() - since) / 1_000).toBeLessThan(Number(seconds));
    } finally {
      await mongodb.close();
    }
  }, 90_000);
});
