import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { keyOf } from './support/declared';
import { digest, environment, fresh, item } from './support/samples';
import { onOwnServices } from './support/world';

/** Sends a body only when the service says so. */
async function sendWaiting(url: string, path: string, key: string, json: unknown) {
  const body = JSON.stringify(json);
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    expect: '100-continue',
  };
  const call = request(`${url}/api/v2${path}`, { method: 'PUT', agent: false, headers });
  let told = false;
  call.once('continue', () => {
    told = true;
    call.end(body);
  });
  call.flushHeaders();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return { told, status: answer.statusCode, connection: answer.headers.connection, text: await text(answer) };
}

onOwnServices((world) => {
  const admin = () => world().as('admin');
  const small = () => ({ name: fresh('env'), type: 'docker', description: '' });

  describe('a client that waits before it sends its body', () => {
    it.each([
      ['an unknown key', 'unknown', 401],
      ['a key that may not', keyOf('reader'), 403],
    ])('is refused before with %s, and the connection ends', async (_, key, status) => {
      for (const [path, json] of [
        ['/environments/acme', small()],
        ['/environments/acme/some/report/docker', { artifacts: [] }],
      ] as const) {
        const answer = await sendWaiting(world().url, path, key, json);
        expect([answer.told, answer.status, answer.connection]).toEqual([false, status, 'close']);
      }
    });

    it('is told to go on after its key was checked', async () => {
      expect(await sendWaiting(world().url, '/environments/acme', keyOf('admin'), small())).toMatchObject({
        ...{ told: true, status: 201 },
      });
      const env = await environment(admin());
      const path = `/environments/acme/${env}/report/docker`;
      const artifacts = Array.from({ length: 2_000 }, (_, i) => item({ [`web:${i}`]: digest(`${env} ${i}`) }));
      for (const sent of [artifacts.slice(0, 1), artifacts]) {
        expect(await sendWaiting(world().url, path, keyOf('admin'), { artifacts: sent })).toMatchObject({
          ...{ told: true, status: 200 },
        });
      }
    });

    it('learns that there is no such path', async () => {
      expect(await sendWaiting(world().url, '/nothing/acme', keyOf('admin'), {})).toMatchObject({ status: 404 });
    });
  });
});
