import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { Controller, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { PAGE_HEADER } from '@assurance/contracts/access/session-cookie';
import { routes } from '@assurance/contracts/http/routes/routes';
import { err, ok, sha256 } from '@assurance/kernel';
import { StoreUnavailable } from '@assurance/storage-ports';
import { answer, type Answer } from '../answer';
import type { AnsweredRequest } from '../answered-request';
import { type CallOf, RequestCall } from '../call';
import type { Identify } from '../identify';
import { httpAdapter, installPipeline } from '../pipeline';
import { RefusalError } from '../refusals';
import { nestPath, Route } from '../route.decorator';
import { DEFAULT_LIMITS } from '../testing/default-limits';

const LIMITS = { ...DEFAULT_LIMITS, bodyBytes: 4_000, artifactsPerReport: 3 };
const KNOWN = 'known';

@Controller()
class ProbeController {
  @Route(routes.reportDocker)
  report(@RequestCall() { body, params, correlation, org, principal }: CallOf<typeof routes.reportDocker>): Answer {
    switch (params.env) {
      case 'nowhere':
        throw new RefusalError({ kind: 'environment-unknown', name: params.env, org: params.org });
      case 'broken':
        throw new Error('secret detail');
      case 'unreachable':
        throw new StoreUnavailable('mongodb://secret');
      case 'nothing':
        return undefined as never;
      case 'unwritable':
        return answer(200, 'x', { 'x-name': 'a\nb' });
      default:
        return answer(200, { params, artifacts: body.artifacts.length, correlation, org, principal });
    }
  }

  /** This route is not served directly. */
  @Route(routes.putEnvironment)
  put(@RequestCall() { body }: CallOf<typeof routes.putEnvironment>): Answer {
    return answer(201, body.name);
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

const addresses: string[] = [];
const identify: Identify = ({ authorization, org, address }) => {
  addresses.push(address);
  const role = /^Bearer (admin|reader|many)$/.exec(authorization.join(' + '))?.[1];
  if (role === undefined) return Promise.resolve(err('unauthenticated' as const));
  if (org !== 'acme') return Promise.resolve(err('forbidden' as const));
  const principal = { id: role, kind: 'user', name: 'ada', role: role === 'reader' ? role : 'admin' } as const;
  return Promise.resolve(ok({ org: { id: 'o1', name: org }, principal }));
};

interface SentRequest {
  readonly url?: string;
  readonly method?: 'PUT' | 'POST' | 'GET';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('requests that do not pass Fastify', () => {
  let app: INestApplication;
  let fastify: FastifyInstance;
  let passed = 0;
  const logged: string[] = [];
  const results: AnsweredRequest[] = [];

  beforeAll(async () => {
    app = await NestFactory.create(ProbeModule, httpAdapter(LIMITS, ['10.0.0.0/8', '127.0.0.1/32']), {
      bodyParser: false,
      logger: false,
    });
    const log = (_fields: object, message: string) => void logged.push(message);
    fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
    fastify.addHook('onRequest', async () => void (passed += 1));
    await installPipeline(app, {
      identify,
      ids: { next: () => 'made', random: (bytes) => new Uint8Array(bytes) },
      limits: LIMITS,
      logger: { debug: log, info: log, warn: log, error: log },
      limiter: {
        take: ({ principal }) => ({
          allowed: principal.id !== 'many',
          limit: 9,
          remaining: 8,
          reset: 7,
          retryAfter: 6,
        }),
        stop: () => undefined,
      },
      trustedProxies: ['10.0.0.0/8', '127.0.0.1/32'],
      answered: (answer) => results.push(answer),
      shortcuts: [
        {
          routes: [routes.reportDocker],
          answer: ({ org, params, bodyDigest }) =>
            Promise.resolve(bodyDigest === sha256(KNOWN) ? answer(200, `${org.name}/${params.env} is known`) : null),
        },
      ],
    });
    void fastify.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, body, parsed) => parsed(null, body));
      scope.route({
        method: 'PUT',
        url: nestPath(routes.reportServer.path),
        config: { contract: routes.reportServer, forwarded: true } as object,
        handler: async (request, reply) => {
          const output = await text(request.body as Readable);
          reply.code(202).headers({
            'content-type': 'text/plain',
            'x-said': output,
            'x-env': (request.params as { env: string }).env,
          });
          if (output === 'stream') return reply.send(Readable.from([Buffer.from('in '), Buffer.from('pieces')]));
          if (output === 'silent') throw new RefusalError({ kind: 'service-silent' });
          return reply.send(Buffer.from('short'));
        },
      });
      done();
    });
    await app.listen(0, '127.0.0.1');
  });
  beforeEach(() => {
    passed = 0;
    logged.length = 0;
    results.length = 0;
    addresses.length = 0;
  });
  afterAll(() => app.close());

  const REPORT = '/api/v2/environments/acme/prod/report/docker';
  const artifacts = (count: number) =>
    JSON.stringify({
      artifacts: Array.from({ length: count }, () => ({ digests: { web: 'a'.repeat(64) }, creationTimestamp: 1 })),
    });
  const port = () => (app.getHttpServer().address() as { port: number }).port;

  const whole = ({ url = REPORT, method = 'PUT', body = artifacts(1), headers = {} }: SentRequest) => ({
    url,
    method,
    body,
    headers: {
      authorization: 'Bearer admin',
      'content-type': 'application/json',
      'x-request-id': 'r1',
      ...headers,
    },
  });
  /** The answer without the headers that depend on the connection. */
  function seen(status: number, body: string, headers: Readonly<Record<string, unknown>>) {
    const { connection: _, 'keep-alive': __, date: ___, ...value } = headers;
    return { status, body, headers: value };
  }
  /** Sends a request over a real connection. */
  async function direct(sent: SentRequest) {
    const { url, method, body, headers } = whole(sent);
    const reply = await fetch(`http://127.0.0.1:${port()}${url}`, { method, body, headers });
    return seen(reply.status, await reply.text(), Object.fromEntries(reply.headers));
  }
  /** Lets Fastify answer the same request. */
  async function ordinary(sent: SentRequest) {
    const { url, method, body, headers } = whole(sent);
    const reply = await fastify.inject({ url, method, payload: body, headers });
    return seen(reply.statusCode, reply.body, reply.headers);
  }
  /** Sends text unchanged, and returns the answer. */
  async function raw(request: string): Promise<string> {
    const socket = connect(port(), '127.0.0.1', () => socket.write(request));
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return chunk.toString();
  }

  const CASES: readonly (readonly [string, SentRequest])[] = [
    ['a report', {}],
    ['a known body', { body: KNOWN }],
    ['an id that is not safe', { headers: { 'x-request-id': '"quoted"' } }],
    ['another media type', { headers: { 'content-type': 'text/plain' } }],
    ['malformed JSON', { body: '{' }],
    ['a prototype', { body: '{"__proto__":{}}' }],
    ['a bad field', { body: '{"artifacts":[{"digests":{"web":"x"},"creationTimestamp":1}]}' }],
    ['an unknown field', { body: '{"artifacts":[],"more":1}' }],
    ['too many artifacts', { body: artifacts(4) }],
    ['no key', { headers: { authorization: '' } }],
    ['a wrong key', { headers: { authorization: 'Bearer nobody' } }],
    ['a role too low', { headers: { authorization: 'Bearer reader' } }],
    ['a caller above the rate', { headers: { authorization: 'Bearer many' } }],
    ['a foreign organization', { url: REPORT.replace('acme', 'other') }],
    ['a refusal of the controller', { url: REPORT.replace('prod', 'nowhere') }],
    ['a fault', { url: REPORT.replace('prod', 'broken') }],
    ['a store that is unavailable', { url: REPORT.replace('prod', 'unreachable') }],
  ];

  it.each(CASES)('are answered as Fastify answers them: %s', async (_what, sent) => {
    const own = await direct(sent);
    const byDirect = [passed, logged.splice(0), addresses.splice(0)];
    const foreign = await ordinary(sent);
    expect(own).toEqual(foreign);
    expect(byDirect).toEqual([0, logged, addresses]);
    expect(passed).toBe(1);
  });

  it.each(['buffer', 'stream', 'silent'])('are passed to another process as Fastify passes them: %s', async (body) => {
    const sent = { url: REPORT.replace('docker', 'server'), body, headers: { 'content-type': 'text/plain' } };
    const own = await direct(sent);
    expect([passed, own.headers['x-said'], own.headers['x-env']]).toEqual([0, body, 'prod']);
    const foreign = await ordinary(sent);
    // Fastify sends a stream without its length.
    const { 'transfer-encoding': _, ...headers } = foreign.headers;
    const length = String(own.body.length);
    expect(own).toEqual({ ...foreign, headers: { ...headers, 'content-length': length } });
  });

  it('get a 500 where the controller gives no answer', async () => {
    const { status, body } = await direct({ url: REPORT.replace('prod', 'nothing') });
    expect([status, body, passed]).toEqual([500, '{"message":"Something went wrong on our side (request r1)"}', 0]);
  });

  it.each<[string, SentRequest]>([
    ['a query', { url: `${REPORT}?a=1` }],
    ['an escaped address', { url: REPORT.replace('prod', 'pr%6Fd') }],
    ['an empty part', { url: REPORT.replace('prod', '') }],
    ['another route', { url: '/api/v2/environments/acme', body: '{"name":"e","type":"docker"}' }],
    ['another method', { method: 'POST' }],
    ['a page', { headers: { [PAGE_HEADER]: '1' } }],
    ['an encoded body', { headers: { 'content-encoding': 'gzip' } }],
    ['an empty content type', { headers: { 'content-type': '' } }],
    ['a form', { headers: { 'content-type': 'multipart/form-data; boundary=b' } }],
    ['a long body', { body: ' '.repeat(4_001) }],
    ['an empty body', { body: '' }],
  ])('are not those with %s', async (_what, sent) => {
    expect(await direct(sent)).toEqual(await ordinary(sent));
    expect(passed).toBe(2);
  });

  it('are not those whose body comes in pieces', async () => {
    const head = `PUT ${REPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const body = artifacts(1);
    expect(await raw(`${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)).toContain('200 OK');
    expect(passed).toBe(1);
  });

  it('reach the guard with all their Authorization headers', async () => {
    const key = 'Authorization: Bearer admin\r\n';
    const output = await raw(`PUT ${REPORT} HTTP/1.1\r\nHost: x\r\n${key}${key}Content-Length: 5\r\n\r\nknown`);
    expect([output.split('\r\n')[0], passed]).toEqual(['HTTP/1.1 401 Unauthorized', 0]);
  });

  it('have the address that a trusted proxy says', async () => {
    await direct({ headers: { 'x-forwarded-for': '203.0.113.7, 10.1.2.3' } });
    expect(addresses).toEqual(['203.0.113.7']);
  });

  it('end with their connection where the answer cannot be written', async () => {
    await expect(direct({ url: REPORT.replace('prod', 'unwritable') })).rejects.toThrow('fetch failed');
    expect(logged).toEqual(['an answer could not be sent']);
  });

  it('are counted with route, status and bytes, also those of clients that went before they had sent their body', async () => {
    await direct({});
    const part = `PUT ${REPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nContent-Length: 100\r\n\r\n{"art`;
    const socket = connect(port(), '127.0.0.1', () => socket.write(part, () => setImmediate(() => socket.destroy())));
    for (let tries = 0; results.length < 2 && tries < 500; tries += 1) await setTimeout(10);
    expect(results[0]).toMatchObject({
      route: 'reportDocker',
      status: 200,
      received: artifacts(1).length,
      principal: 'admin',
      organization: 'o1',
      correlation: 'r1',
      method: 'PUT',
      unknownCaller: false,
    });
    expect([results.length, results[1]?.route, passed, logged]).toEqual([2, 'reportDocker', 0, []]);
  });

  it('follow each other on one connection', async () => {
    const requestText = `PUT ${REPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nContent-Length: 5\r\n\r\nknown`;
    const socket = connect(port(), '127.0.0.1', () => socket.write(requestText + requestText));
    let output = '';
    socket.on('data', (chunk: Buffer) => (output += chunk.toString()));
    for (let tries = 0; output.split('is known').length < 3 && tries < 500; tries += 1) await setTimeout(10);
    socket.destroy();
    expect([output.split('200 OK').length - 1, passed]).toEqual([2, 0]);
  });

  it('end, and close their connections, once the server closes', async () => {
    const own = await NestFactory.create(ProbeModule, httpAdapter(LIMITS), { bodyParser: false, logger: false });
    await installPipeline(own, {
      identify,
      ids: { next: () => 'made', random: (bytes) => new Uint8Array(bytes) },
      limits: LIMITS,
      logger: { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() },
    });
    await own.listen(0, '127.0.0.1');
    const { port: at } = own.getHttpServer().address() as { port: number };
    const head = `PUT ${REPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nContent-Length: 16\r\n\r\n`;
    const socket = connect(at, '127.0.0.1', () => socket.write(`${head}{"artifacts":[]}`));
    await once(socket, 'data');
    socket.write(head);
    await setTimeout(50);
    const closed = own.close();
    socket.write('{"artifacts":[]}');
    const [answered] = (await once(socket, 'data')) as [Buffer];
    expect(answered.toString()).toMatch(/^HTTP\/1.1 200 OK\r\n(.*\r\n)*connection: close\r\n/);
    await closed;
  });
});
