import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { IDENTITY_HEADER, SEAL_BYTES } from '@assurance/http';
import { keyOf } from '../support/declared';
import { nobody, pretend, type PretendService } from '../support/pretend';
import { flowForm, sha1 } from '../support/samples';
import { type SplitServices, startSplit } from '../support/split';

const START_MS = 90_000;
const SILENCE_MS = 300;
const BODY_BYTES = 200_000;
const AWAY = { message: expect.stringContaining('Nothing was done') };
const SILENT = { message: expect.stringContaining('It may have been done') };
const headers = { authorization: `Bearer ${keyOf('member')}` };
const WRITE = '/api/v2/flows/acme';
const READ = '/api/v2/flows/acme';

/** The caller's headers, without the seal that the gateway adds. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  return (await buffer(request)).subarray(0, -SEAL_BYTES).toString();
}

describe('a gateway that hands requests on', () => {
  let split: SplitServices;
  const pretended: PretendService[] = [];
  beforeAll(async () => {
    split = await startSplit();
  }, START_MS);
  afterAll(async () => {
    for (const server of pretended) server.stop();
    await split.stop();
  }, START_MS);

  const service = async (...how: Parameters<typeof pretend>) => {
    const server = await pretend(...how);
    pretended.push(server);
    return server;
  };
  const gatewayTo = async (...urls: string[]) => {
    const { url } = await split.addGateway({
      ASSURANCE_INGESTION_URL: urls.join(','),
      ASSURANCE_PROJECTION_URL: urls.join(','),
      ASSURANCE_SERVICE_SILENCE_MS: String(SILENCE_MS),
      ASSURANCE_MAX_BODY_BYTES: String(BODY_BYTES),
    });
    return url;
  };
  const write = (url: string, json: unknown = { name: 'shop' }) =>
    fetch(url + WRITE, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
  const read = (url: string) => fetch(url + READ, { headers });
  const answerOf = async (answer: Response) => [answer.status, answer.headers.get('retry-after'), await answer.json()];

  it('reports that a service is unavailable and that nothing was done', async () => {
    const url = await gatewayTo(await nobody());
    expect(await answerOf(await write(url))).toEqual([503, '1', AWAY]);
    expect(await answerOf(await read(url))).toEqual([503, '1', AWAY]);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
  });

  it('skips an unreachable instance, also for requests with bodies', async () => {
    const there = await service((req, res) => void bodyOf(req).then((body) => res.end(JSON.stringify(body))));
    const url = await gatewayTo(await nobody(), there.url);
    for (const name of ['a', 'b', 'c', 'd']) {
      expect(await (await write(url, { name })).json()).toBe(JSON.stringify({ name }));
    }
    expect(there.requests).toHaveLength(4);
  });

  it('uses instances in turn', async () => {
    const [a, b] = [await service((_, res) => res.end('"a"')), await service((_, res) => res.end('"b"'))];
    const url = await gatewayTo(a.url, b.url);
    const answers = [];
    for (let i = 0; i < 4; i += 1) answers.push(await (await read(url)).json());
    expect(answers).toEqual(['a', 'b', 'a', 'b']);
  });

  it('uses one instance for an environment through every gateway, and the next one while that is unavailable', async () => {
    const answer = (name: string) => (req: IncomingMessage, res: ServerResponse) =>
      void bodyOf(req).then(() => res.end(JSON.stringify(name)));
    const [a, b, c] = [await service(answer('a')), await service(answer('b')), await service(answer('c'))];
    const gateways = [await gatewayTo(a.url, b.url, c.url), await gatewayTo(c.url, a.url, b.url)];
    const envs = Array.from({ length: 40 }, (_, i) => `env-${i}`);
    const assertion = (env: string) =>
      Promise.all(
        [...gateways, ...gateways].map(async (url) => {
          const path = `/api/v2/environments/acme/${env}/report/docker`;
          const json = { 'content-type': 'application/json' };
          const body = '{"artifacts": []}';
          return (await fetch(url + path, { method: 'PUT', headers: { ...headers, ...json }, body })).json();
        }),
      );
    const before = new Map<string, unknown>();
    for (const env of envs) {
      const answers = new Set(await assertion(env));
      expect(answers.size).toBe(1);
      before.set(env, [...answers][0]);
    }
    expect(new Set(before.values())).toEqual(new Set(['a', 'b', 'c']));
    b.stop();
    const taken = new Set<unknown>();
    for (const env of envs) {
      const answers = new Set(await assertion(env));
      expect(answers.size).toBe(1);
      if (before.get(env) === 'b') taken.add([...answers][0]);
      else expect([...answers][0]).toBe(before.get(env));
    }
    expect(taken).toEqual(new Set(['a', 'c']));
  });

  it.each([
    ['keeps silent', () => undefined],
    ['hangs up', (req: IncomingMessage) => void req.socket.destroy()],
  ])('sends a request only once, although the service %s', async (_what, answer) => {
    const [a, b] = [await service(answer), await service(answer)];
    const url = await gatewayTo(a.url, b.url);
    expect(await answerOf(await write(url))).toEqual([503, '1', SILENT]);
    expect(await answerOf(await read(url))).toEqual([503, '1', SILENT]);
    expect(a.requests.length + b.requests.length).toBe(2);
  });

  it('never returns a part of a small answer', async () => {
    const cut = await service((_req, res) => {
      res.writeHead(201, { 'content-length': 100 });
      res.write('"half', () => res.destroy());
    });
    expect(await answerOf(await write(await gatewayTo(cut.url)))).toEqual([503, '1', SILENT]);
  });

  it('breaks off when the service breaks off or stops sending', async () => {
    const piece = Buffer.alloc(100_000, 'x');
    const cut = await service((req, res) => {
      res.writeHead(200, { 'content-length': 1_000_000 });
      res.write(piece, () => req.method === 'PUT' && setImmediate(() => res.destroy()));
    });
    const url = await gatewayTo(cut.url);
    for (const answer of [await write(url), await read(url)]) {
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow('terminated');
    }
  });

  it('closes its connection to a service each time the connection of the caller breaks', async () => {
    let arrived: (request: IncomingMessage) => void = () => undefined;
    const slow = await service((req) => arrived(req));
    const { url } = await split.addGateway({ ASSURANCE_PROJECTION_URL: slow.url, ASSURANCE_INGESTION_URL: slow.url });
    for (let i = 0; i < 3; i += 1) {
      const begun = new Promise<IncomingMessage>((resolve) => (arrived = resolve));
      const clientRequest = request(url + READ, { headers, agent: false });
      clientRequest.on('error', () => undefined).end();
      const ended = once((await begun).socket, 'close');
      clientRequest.socket?.resetAndDestroy();
      await ended;
    }
  });

  it('streams large answers', async () => {
    const large = randomBytes(8 * 1024 * 1024);
    const there = await service((_req, res) => {
      res.writeHead(200, {
        'content-type': 'application/gzip',
        'x-total-count': '7',
        connection: 'close, x-hop',
        'x-hop': '1',
      });
      res.end(large);
    });
    const answer = await read(await gatewayTo(there.url));
    expect([answer.headers.get('x-total-count'), answer.headers.get('x-hop')]).toEqual(['7', null]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(large)).toBe(true);
  });

  it('forwards a form unchanged, with the caller’s identity in place of the key', async () => {
    const there = await service((req, res) => void bodyOf(req).then((body) => res.end(JSON.stringify(body))));
    const sent = new Request('http://x', { method: 'PUT', body: flowForm({ name: 'é' }, 'version: 1\n') });
    const [type = '', form] = [sent.headers.get('content-type') ?? undefined, await sent.text()];
    const answer = await fetch(`${await gatewayTo(there.url)}/api/v2/flows/acme/template_file`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': type, 'x-request-id': 'mine', [IDENTITY_HEADER]: 'forged' },
      body: form,
    });
    expect(await answer.json()).toBe(form);
    expect(answer.headers.get('x-request-id')).toBe('mine');
    const seen = there.requests[0]?.headers;
    expect(seen).toMatchObject({ 'content-type': type, 'x-request-id': 'mine' });
    expect(seen).not.toHaveProperty('authorization');
    expect(seen?.[IDENTITY_HEADER]).toMatch(/^[\w-]+\.[\w-]+$/);
  });

  it('forwards the first bytes before the last arrive', async () => {
    const there = await service((req, res) => void bodyOf(req).then((body) => res.end(JSON.stringify(body.length))));
    const url = await gatewayTo(there.url);
    const slow = request(url + WRITE, { method: 'PUT', headers: { ...headers, expect: '100-continue' } });
    slow.flushHeaders();
    await once(slow, 'continue');
    slow.write('first');
    while (there.requests.length === 0) await new Promise(setImmediate);
    slow.end('last');
    const [answer] = (await once(slow, 'response')) as [IncomingMessage];
    expect(await text(answer)).toBe('9');
  });

  it('limits a body with and without a length', async () => {
    const there = await service((req, res) => {
      req.on('error', () => undefined);
      req.resume().on('end', () => res.end('"whole"'));
    });
    const url = await gatewayTo(there.url);
    const large = Buffer.alloc(BODY_BYTES + 1, ' ');
    const send = (body: unknown) =>
      fetch(url + WRITE, { method: 'PUT', headers, body: body as RequestInit['body'], duplex: 'half' } as RequestInit);
    const tooLarge = { message: expect.stringContaining(String(BODY_BYTES)) };
    expect(await answerOf(await send(large))).toEqual([413, null, tooLarge]);
    expect(there.requests).toHaveLength(0);
    expect(await answerOf(await send(ReadableStream.from([large.subarray(1), Buffer.from(' ')])))).toEqual([
      413,
      null,
      tooLarge,
    ]);
    expect(there.requests.every(({ complete }) => !complete)).toBe(true);
    expect(await (await send(ReadableStream.from([large.subarray(1)]))).json()).toBe('whole');
  });

  it('keeps the path byte for byte', async () => {
    const there = await service((req, res) => res.end(JSON.stringify(req.url)));
    const url = await gatewayTo(there.url);
    for (const path of ['/api/v2/flows/acme/a%2F..%2Fb%20%C3%A9?x=%2B&x=1', `/api/v2/flows/acme/${sha1('a')}?`]) {
      const call = request(url, { path, headers });
      call.end();
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      expect(await text(answer)).toBe(JSON.stringify(path));
    }
  });

  it('logs when a service rejects its signature, and answers callers that the service is unavailable', async () => {
    const strict = await service((_req, res) => res.writeHead(401).end('{}'));
    expect(await answerOf(await write(await gatewayTo(strict.url)))).toEqual([503, '1', AWAY]);
    expect(split.faults).toEqual([expect.stringContaining('compare ASSURANCE_SECRET')]);
  });
});
