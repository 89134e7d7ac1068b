import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { keyOf } from './support/declared';
import { digest, environment, fresh, item } from './support/samples';
import { onOwnServices } from './support/world';

/** The header of a request about its body. */
interface BodyHeader {
  readonly method?: 'PUT' | 'POST';
  readonly type?: string;
  /** Bytes. */
  readonly length?: number;
}

const FORM = 'multipart/form-data; boundary=x';
const GiB = 1024 ** 3;

/** Sends a body only after the service answered 100 Continue. */
async function sendWaiting(url: string, path: string, key: string, json: unknown, more: BodyHeader = {}) {
  const body = JSON.stringify(json);
  const { method = 'PUT', type = 'application/json', length = Buffer.byteLength(body) } = more;
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': type,
    'content-length': length,
    expect: '100-continue',
  };
  const call = request(`${url}/api/v2${path}`, { method, agent: false, headers });
  let isEnded = false;
  call.once('continue', () => {
    isEnded = true;
    call.end(body);
  });
  call.flushHeaders();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return { told: isEnded, status: answer.statusCode, connection: answer.headers.connection, text: await text(answer) };
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

    it.each([
      ['settings', '/environments/acme', {}],
      ['a report', '/environments/acme/some/report/docker', {}],
      ['a form', '/flows/acme/template_file', { type: FORM }],
      ['evidence', '/attestations/acme/some/trail/build/generic', { method: 'POST', type: FORM }],
    ] as const)('is refused before where it announces a body far above the limit: %s', async (_, path, announced) => {
      const answer = await sendWaiting(world().url, path, keyOf('admin'), {}, { ...announced, length: GiB });
      expect(answer).toMatchObject({ told: false, status: 413, connection: 'close' });
      expect(answer.text).toMatch(/larger than the limit of \d+ bytes/);
    });

    it('gets 100 Continue once its key was checked', async () => {
      expect(await sendWaiting(world().url, '/environments/acme', keyOf('admin'), small())).toMatchObject({
        told: true,
        status: 201,
      });
      const env = await environment(admin());
      const path = `/environments/acme/${env}/report/docker`;
      const artifacts = Array.from({ length: 2_000 }, (_, i) => item({ [`web:${i}`]: digest(`${env} ${i}`) }));
      for (const sent of [artifacts.slice(0, 1), artifacts]) {
        expect(await sendWaiting(world().url, path, keyOf('admin'), { artifacts: sent })).toMatchObject({
          told: true,
          status: 200,
        });
      }
    });

    it('gets 404 for an unknown path', async () => {
      expect(await sendWaiting(world().url, '/nothing/acme', keyOf('admin'), {})).toMatchObject({ status: 404 });
    });
  });
});
