import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as turn, setTimeout } from 'node:timers/promises';
import { Controller, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { routes } from '@assurance/contracts/http/routes/routes';
import { err, ok, sha256 } from '@assurance/kernel';
import { StoreFull, StoreUnavailable } from '@assurance/storage-ports';
import { answer, type Answer } from './answer';
import { type CallOf, RequestCall } from './call';
import type { Identify } from './identify';
import { httpAdapter, installPipeline } from './pipeline';
import { RefusalError, unwrap } from './refusals';
import { Route } from './route.decorator';

const A = 'a'.repeat(64);
const LIMITS = {
  bodyBytes: 4_000,
  artifactsPerReport: 3,
  attachmentBytes: 4_000,
  evidenceBytes: 4_000,
  requestsAtOnce: 100,
  bodyBytesAtOnce: 100_000,
  perMinute: { key: 0, organization: 0 },
  wrongKeysPerMinute: 0,
  storedBytes: { events: 0, attachments: 0 },
  perOrganization: {
    attestationTypes: 3,
    controls: 3,
    policies: 3,
    environments: 3,
    flows: 3,
    repositories: 3,
    spaces: 3,
  },
};
/** This body is not JSON, so an answer to it proves that it was not parsed. */
const KNOWN = 'known';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Emits an event when a slow answer has begun. */
const slow = new EventEmitter<{ begun: [] }>();

/** Shows what a controller gets, and throws the errors that a test asks for. */
@Controller()
class ProbeController {
  @Route(routes.putEnvironment)
  async put(@RequestCall() { body, org, principal }: CallOf<typeof routes.putEnvironment>): Promise<Answer> {
    switch (body.name) {
      case 'slow':
        slow.emit('begun');
        await setTimeout(100);
        return answer(201, 'OK');
      case 'broken':
        throw new Error('secret detail');
      case 'full':
        throw new StoreFull('disk /dev/sda1');
      case 'unreachable':
        throw new StoreUnavailable('mongodb://secret');
      case 'gone':
        return unwrap<Answer>(err({ kind: 'environment-archived', name: body.name }));
      default:
        return answer(201, 'OK', { 'x-seen': `${org.name}/${principal.name}/${body.type}` });
    }
  }

  @Route(routes.reportDocker)
  report(@RequestCall() { body, params, correlation }: CallOf<typeof routes.reportDocker>): Answer {
    if (params.env === 'nowhere')
      throw new RefusalError({ kind: 'environment-unknown', name: params.env, org: params.org });
    return answer(200, { ...params, artifacts: body.artifacts.length, correlation });
  }

  @Route(routes.getEnvironment)
  async get(@RequestCall() { params }: CallOf<typeof routes.getEnvironment>): Promise<Answer> {
    if (params.env === 'slow') {
      slow.emit('begun');
      await setTimeout(100);
    }
    throw new RefusalError({ kind: 'environment-unknown', name: params.env, org: params.org });
  }

  @Route(routes.getRepo)
  repo(@RequestCall() { params, query }: CallOf<typeof routes.getRepo>): Answer {
    return answer(200, { route: 'repo', ...params, ...query });
  }

  @Route(routes.listRepoDeployments)
  deployments(@RequestCall() { params, query }: CallOf<typeof routes.listRepoDeployments>): Answer {
    return answer(200, { route: 'deployments', ...params, ...query });
  }

  @Route(routes.getSnapshot)
  snapshot(@RequestCall() { params }: CallOf<typeof routes.getSnapshot>): Answer {
    return answer(200, params.expr);
  }

  @Route(routes.putFlowTemplateFile)
  template(@RequestCall() { body, files }: CallOf<typeof routes.putFlowTemplateFile>): Answer {
    const { template_file: file } = files;
    return answer(200, { ...body, file: file === undefined ? null : Buffer.from(file.content).toString() });
  }

  @Route(routes.ready)
  ready(): Answer {
    return answer(200, 'OK');
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

const identify: Identify = ({ authorization, org }) => {
  const role = /^Bearer (admin|reader)$/.exec(authorization.join(' + '))?.[1] as 'admin' | 'reader' | undefined;
  if (role === undefined) return Promise.resolve(err('unauthenticated' as const));
  if (org !== 'acme') return Promise.resolve(err('forbidden' as const));
  return Promise.resolve(
    ok({ org: { id: 'o1', name: org }, principal: { id: 'p1', kind: 'user', name: 'ada', role } }),
  );
};

describe('the way of a request', () => {
  let app: INestApplication;
  let fastify: FastifyInstance;
  const logged: { fields: object; message: string }[] = [];
  /** Functions that end the running requests. */
  const ends = new Set<() => void>();

  beforeAll(async () => {
    app = await NestFactory.create(ProbeModule, httpAdapter(LIMITS), { bodyParser: false, logger: false });
    let count = 0;
    const log = (fields: object, message: string) => void logged.push({ fields, message });
    await installPipeline(app, {
      identify,
      ids: { next: () => `id-${(count += 1)}`, random: (bytes) => new Uint8Array(bytes) },
      limits: LIMITS,
      revocations: {
        watch: (_identity, _route, end) => {
          ends.add(end);
          return () => void ends.delete(end);
        },
        stop: () => undefined,
      },
      logger: { debug: log, info: log, warn: log, error: log },
      shortcuts: [
        {
          routes: [routes.reportDocker],
          answer: ({ org, params, bodyDigest }) =>
            Promise.resolve(bodyDigest === sha256(KNOWN) ? answer(200, `${org.name}/${params.env} is known`) : null),
        },
      ],
    });
    await app.listen(0, '127.0.0.1');
    fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  });
  afterAll(() => app.close());

  async function send(method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, options: InjectOptions = {}) {
    const headers = {
      authorization: 'Bearer admin',
      ...(options.payload === undefined ? {} : { 'content-type': JSON_TYPE }),
      ...options.headers,
    };
    const reply = await fastify.inject({ ...options, method, url, headers });
    return { status: reply.statusCode, body: reply.body, json: () => reply.json<unknown>(), headers: reply.headers };
  }
  const PUT = '/api/v2/environments/acme';
  const REPORT = '/api/v2/environments/acme/prod/report/docker';
  const artifacts = (count: number) =>
    JSON.stringify({ artifacts: Array.from({ length: count }, () => ({ digests: { web: A }, creationTimestamp: 1 })) });

  it('hands a controller who calls and the checked body, and sends a text as JSON', async () => {
    const { status, body, headers } = await send('PUT', PUT, {
      payload: '{"name":"prod","type":"docker","description":""}',
    });
    expect([status, body, headers['content-type'], headers['x-seen']]).toEqual([
      201,
      '"OK"',
      JSON_TYPE,
      'acme/ada/docker',
    ]);
  });

  describe('takes a shortcut', () => {
    it('for a body that is known, without parsing it', async () => {
      const { status, body, headers } = await send('PUT', REPORT, { payload: KNOWN });
      expect([status, body, headers['content-type']]).toEqual([200, '"acme/prod is known"', JSON_TYPE]);
      expect(headers['x-request-id']).toMatch(/^id-/);
    });

    it('on its own routes, and after key, role and media type', async () => {
      const of = async (url: string, headers: Record<string, string>) =>
        (await send('PUT', url, { payload: KNOWN, headers })).status;
      expect(await of(PUT, {})).toBe(400);
      expect(await of(REPORT, { authorization: 'Bearer nobody' })).toBe(401);
      expect(await of(REPORT, { authorization: 'Bearer reader' })).toBe(403);
      expect(await of(REPORT, { 'content-type': 'text/plain' })).not.toBe(200);
      expect(await of(REPORT.replace('docker', 'server'), {})).toBe(404);
    });
  });

  describe('loses its right while it is under way', () => {
    async function ended(path: string, init: RequestInit): Promise<number | string> {
      const { port } = app.getHttpServer().address() as { port: number };
      const headers = { authorization: 'Bearer admin', 'content-type': JSON_TYPE };
      const answered = fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers }).then(
        ({ status }) => status,
        () => 'cut',
      );
      await once(slow, 'begun');
      for (const end of ends) end();
      return answered;
    }

    it('and is answered, when it is a write that has arrived', async () => {
      const body = '{"name":"slow","type":"docker","description":""}';
      expect(await ended(PUT, { method: 'PUT', body })).toBe(201);
    });

    it('and is cut, when it reads', async () => {
      expect(await ended(`${PUT}/slow`, { method: 'GET' })).toBe('cut');
    });
  });

  describe('asks for a key first', () => {
    it.each([
      ['none', {}],
      ['a wrong one', { authorization: 'Bearer nobody' }],
    ])('%s: 401, whatever the body is', async (_what, headers) => {
      for (const payload of ['{"name":', 'x'.repeat(10_000), artifacts(1)]) {
        const reply = await fastify.inject({
          method: 'PUT',
          url: PUT,
          payload,
          headers: { 'content-type': JSON_TYPE, ...headers },
        });
        expect([reply.statusCode, reply.json()]).toEqual([401, { message: 'Missing or invalid API key' }]);
        expect(reply.headers['www-authenticate']).toContain('Bearer');
      }
    });

    it('two Authorization headers reach the guard as two', async () => {
      const { address, port } = app.getHttpServer().address() as { address: string; port: number };
      const text = await new Promise<string>((resolve, reject) => {
        let all = '';
        const socket = connect(port, address, () =>
          socket.end(
            'GET /api/v2/environments/acme/e HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nAuthorization: Bearer admin\r\nConnection: close\r\n\r\n',
          ),
        );
        socket
          .on('data', (chunk) => (all += chunk.toString()))
          .on('end', () => resolve(all))
          .on('error', reject);
      });
      expect(text).toContain('401 Unauthorized');
    });

    it('a foreign organization and a role too low: the same 403, before the body', async () => {
      const foreign = await send('PUT', '/api/v2/environments/other', { payload: '{' });
      const low = await send('PUT', PUT, { payload: '{', headers: { authorization: 'Bearer reader' } });
      const message = "You don't have permission to access this resource";
      expect([foreign.status, foreign.json(), low.status, low.json()]).toEqual([403, { message }, 403, { message }]);
    });

    it('none on public routes, which may answer in plain text', async () => {
      const reply = await fastify.inject({ method: 'GET', url: '/ready' });
      expect([reply.statusCode, reply.body, reply.headers['content-type']]).toEqual([
        200,
        'OK',
        'text/plain; charset=utf-8',
      ]);
    });
  });

  describe('refuses bodies', () => {
    const failed = (field: string, text: string) => ({
      message: `Input payload validation failed: ${field} ${text}`,
      errors: { [field]: text },
    });
    it.each([
      [
        'malformed JSON',
        PUT,
        '{"name":',
        400,
        failed('body', 'Input is not valid JSON: it ends too early at line 1, column 9 [input: {"name":]'),
      ],
      [
        'malformed JSON of a report',
        REPORT,
        '{',
        400,
        {
          message: 'Invalid report data',
          errors: { body: 'Input is not valid JSON: it ends too early at line 1, column 2 [input: {]' },
        },
      ],
      ['null', PUT, 'null', 400, failed('body', 'Input should be an object [input: null]')],
      ['nothing', PUT, '', 400, failed('body', 'Input should be an object [input: null]')],
      [
        'an array',
        REPORT,
        '[]',
        400,
        { message: 'Invalid report data', errors: { body: 'Input should be an object [input: []]' } },
      ],
      [
        'a prototype',
        REPORT,
        '{"__proto__":{}}',
        400,
        {
          message: 'Invalid report data',
          errors: { body: 'The key \'__proto__\' is not allowed in any object [input: {"__proto__":{}}]' },
        },
      ],
      [
        'a bad field',
        PUT,
        '{"name":"a b","type":"docker"}',
        400,
        failed('name', "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$' [input: a b]"),
      ],
      [
        'too many artifacts',
        REPORT,
        artifacts(4),
        413,
        {
          message:
            'The report has 4 artifacts, more than the limit of 3. Divide what runs between environments, and join these in a logical one',
        },
      ],
      [
        'too many bytes',
        REPORT,
        ' '.repeat(4_001),
        413,
        {
          message:
            'The body of 4001 bytes is larger than the limit of 4000 bytes. Divide what runs between environments, and join these in a logical one',
        },
      ],
    ])('%s', async (_what, url, payload, status, body) => {
      const reply = await send('PUT', url, { payload });
      expect([reply.status, reply.json()]).toEqual([status, body]);
    });

    it('to a client that sends the rest before it reads', async () => {
      const { port } = app.getHttpServer().address() as { port: number };
      const [piece, pieces] = [Buffer.alloc(65_536), 128];
      const headers = `Authorization: Bearer admin\r\nContent-Type: application/json\r\nContent-Length: ${piece.length * pieces}`;
      const socket = connect(port, '127.0.0.1');
      socket.pause().write(`PUT ${PUT} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
      for (let i = 0; i < pieces; i += 1) {
        await new Promise<void>((sent, broken) => socket.write(piece, (fault) => (fault ? broken(fault) : sent())));
        await turn();
      }
      let text = '';
      for await (const some of socket) text += String(some);
      expect(text).toMatch(/^HTTP\/1\.1 413 [^]*The body of 8388608 bytes is larger than the limit/);
    });

    it('of another media type', async () => {
      const reply = await send('PUT', PUT, {
        payload: 'a=b',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect([reply.status, reply.json()]).toEqual([
        415,
        { message: "A body of type 'application/x-www-form-urlencoded' is not supported on this route" },
      ]);
    });

    it('that come in pieces without a length and grow too long', async () => {
      const { port } = app.getHttpServer().address() as { port: number };
      const body = new ReadableStream({
        start(controller) {
          for (let i = 0; i < 5; i += 1) controller.enqueue(new TextEncoder().encode(' '.repeat(1_000)));
          controller.close();
        },
      });
      const init = {
        method: 'PUT',
        body,
        duplex: 'half',
        headers: { authorization: 'Bearer admin', 'content-type': JSON_TYPE },
      };
      const reply = await fetch(`http://127.0.0.1:${port}${REPORT}`, init as RequestInit);
      expect([reply.status, await reply.json()]).toEqual([
        413,
        {
          message:
            'The body is larger than the limit of 4000 bytes. Divide what runs between environments, and join these in a logical one',
        },
      ]);
    });
  });

  it('takes a JSON body without a content type, and artifacts that are null', async () => {
    const headers = { authorization: 'Bearer admin' };
    const reply = await fastify.inject({ method: 'PUT', url: REPORT, payload: '{"artifacts":null}', headers });
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      expect.objectContaining({ org: 'acme', env: 'prod', artifacts: 0 }),
    ]);
  });

  it('ignores a content type on a GET without a body', async () => {
    const reply = await send('GET', '/api/v2/repos/acme/shop', { headers: { 'content-type': JSON_TYPE } });
    expect(reply.status).toBe(200);
  });

  it('forbids guessing the type of an answer and caching it', async () => {
    const answers = [
      await send('GET', '/api/v2/environments/acme/e'),
      await send('PUT', PUT, { payload: '{' }),
      await send('GET', '/nowhere'),
      await send('GET', `/${'%E0%A4%A'}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 400, 404, 400]);
    expect(answers.map(({ headers }) => headers['x-content-type-options'])).toEqual(Array(4).fill('nosniff'));
    expect(answers.slice(0, 2).map(({ headers }) => headers['cache-control'])).toEqual(['no-store', 'no-store']);
    expect((await send('GET', '/ready')).headers['cache-control']).toBeUndefined();
  });

  it.each([
    ['DELETE', '/api/v2/environments/acme', 'PUT, GET, HEAD'],
    ['POST', REPORT, 'PUT'],
    ['PUT', '/api/v2/repos/acme/owner/group/name', 'GET, HEAD'],
  ] as const)('answers %s %s with the methods that the path takes', async (method, url, allow) => {
    const { status, json, headers } = await send(method, url);
    expect([status, json(), headers['allow']]).toEqual([
      405,
      { message: `${method} is no method of this path. It takes ${allow}` },
      allow,
    ]);
  });

  it('takes no body that is encoded', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const { status, json } = await send('PUT', PUT, { payload: '{}', headers });
    expect([status, json()]).toEqual([
      415,
      { message: "A body that is encoded as 'gzip' is not supported: send it as it is" },
    ]);
    const plain = await send('PUT', PUT, { payload: '{}', headers: { 'content-encoding': 'identity' } });
    expect(plain.status).toBe(400);
  });

  it('answers a client that has closed its side of the connection', async () => {
    const { address, port } = app.getHttpServer().address() as { address: string; port: number };
    const text = await new Promise<string>((resolve, reject) => {
      let all = '';
      const body = '{"name":"slow","type":"docker"}';
      const socket = connect(port, address, () =>
        socket.end(
          `PUT ${PUT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        ),
      );
      socket
        .on('data', (chunk) => (all += chunk.toString()))
        .on('close', () => resolve(all))
        .on('error', reject);
    });
    expect(text).toContain('201 Created');
  });

  describe('reads paths', () => {
    it.each([
      [
        '/api/v2/repos/acme/owner/group/name?provider=github',
        { route: 'repo', org: 'acme', name: 'owner/group/name', provider: 'github' },
      ],
      ['/api/v2/repos/acme/owner%2Fname', { route: 'repo', org: 'acme', name: 'owner/name' }],
      ['/api/v2/repos/acme/a%2525b', { route: 'repo', org: 'acme', name: 'a%25b' }],
      ['/api/v2/repos/acme/owner/name/deployments', { route: 'repo', org: 'acme', name: 'owner/name/deployments' }],
      [
        '/api/v2/repos/acme/r1/deployments?env=a&env=b,c&per_page=0&start_ts=1.5&end_ts=',
        {
          route: 'deployments',
          org: 'acme',
          repo: 'r1',
          page: 1,
          per_page: 0,
          start_ts: 1.5,
          end_ts: null,
          env: ['a', 'b', 'c'],
        },
      ],
      ['/api/v2/snapshots/acme/prod/%40%7Bnow%7D', '@{now}'],
      ['/api/v2/snapshots/acme/prod/@{now}', '@{now}'],
      ['/api/v2/snapshots/acme/prod/%232', '#2'],
      ['/api/v2/snapshots/acme/prod/-1', '-1'],
      [`/api/v2/snapshots/acme/prod/${'x'.repeat(1_024)}`, 'x'.repeat(1_024)],
    ])('%s', async (url, body) => {
      const reply = await send('GET', url);
      expect([reply.status, reply.json()]).toEqual([200, body]);
    });

    it.each(['/api/v2/repos/acme/%zz', '/%', `/api/v2/snapshots/acme/prod/${'x'.repeat(5_000)}`])(
      '%s is 400 in JSON',
      async (url) => {
        const reply = await send('GET', url);
        expect([reply.status, reply.json()]).toEqual([
          400,
          expect.objectContaining({ message: expect.stringMatching(/^Input payload validation failed: path /) }),
        ]);
      },
    );
  });

  it('names each bad parameter of a query', async () => {
    const reply = await send('GET', '/api/v2/repos/acme/r1/deployments?per_page=51&page=+1&env=&limit=3&start_ts=NaN');
    expect([reply.status, reply.json()]).toEqual([
      400,
      {
        message: "Input payload validation failed: limit Unknown parameter. Did you mean 'page'?",
        errors: {
          per_page: 'Input should be a whole number from 0 to 50, in decimal digits [input: 51]',
          page: 'Input should be a whole number of at least 1, in decimal digits [input:  1]',
          env: 'Input should not be empty',
          limit: "Unknown parameter. Did you mean 'page'?",
          start_ts: 'Input should be a timestamp in epoch seconds, such as 1700000000.5 [input: NaN]',
        },
      },
    ]);
  });

  describe('takes forms', () => {
    const form = (...parts: string[]) =>
      [...parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`), '--b--\r\n'].join('');
    const json = 'name="data_json"\r\n\r\n{"name":"shop"}';
    const post = (payload: string, type = 'multipart/form-data; boundary=b') =>
      send('PUT', '/api/v2/flows/acme/template_file', { payload, headers: { 'content-type': type } });

    it('with and without a file', async () => {
      const file =
        'name="template_file"; filename="t.yml"\r\nContent-Type: application/octet-stream\r\n\r\nversion: 1\n';
      expect((await post(form(json, file))).json()).toEqual({ name: 'shop', file: 'version: 1\n' });
      expect((await post(form(json))).json()).toEqual({ name: 'shop', file: null });
    });

    it.each([
      ['no field', form('name="other"\r\n\r\nx'), 400, { data_json: 'Field required' }],
      [
        'malformed JSON',
        form('name="data_json"\r\n\r\n{'),
        400,
        { data_json: 'Input is not valid JSON: it ends too early at line 1, column 2 [input: {]' },
      ],
      ['a broken form', '--b\r\nnothing', 400, { body: 'Input is not a valid form' }],
      ['a file too long', form(json, `name="template_file"; filename="t"\r\n\r\n${'x'.repeat(4_001)}`), 413, undefined],
      ['a field too long', form(`name="data_json"\r\n\r\n${'x'.repeat(4_001)}`), 413, undefined],
    ])('%s', async (_what, payload, status, errors) => {
      const reply = await post(payload);
      expect([reply.status, (reply.json() as { errors?: unknown }).errors]).toEqual([status, errors]);
    });

    it.each([false, true])(
      'that are too long over a real connection, in pieces without a length: %s',
      async (pieces) => {
        const { port } = app.getHttpServer().address() as { port: number };
        const payload = form(json, `name="template_file"; filename="t"\r\n\r\n${'x'.repeat(300_000)}`);
        const stream = new ReadableStream({
          start(controller) {
            for (let at = 0; at < payload.length; at += 1_000) {
              controller.enqueue(new TextEncoder().encode(payload.slice(at, at + 1_000)));
            }
            controller.close();
          },
        });
        const reply = await fetch(`http://127.0.0.1:${port}/api/v2/flows/acme/template_file`, {
          method: 'PUT',
          body: pieces ? stream : payload,
          duplex: 'half',
          headers: { authorization: 'Bearer admin', 'content-type': 'multipart/form-data; boundary=b' },
        } as RequestInit);
        expect([reply.status, reply.headers.get('connection'), await reply.json()]).toEqual([
          413,
          'close',
          {
            message: expect.stringMatching(
              pieces
                ? /^The body is larger than the limit of 4000/
                : /^The body of \d+ bytes is larger than the limit of 4000/,
            ) as string,
          },
        ]);
      },
    );

    it('only as forms', async () => {
      expect((await post('{"name":"shop"}', JSON_TYPE)).status).toBe(415);
    });
  });

  describe('answers refusals and faults in JSON', () => {
    const put = (name: string) => send('PUT', PUT, { payload: JSON.stringify({ name, type: 'docker' }) });

    it('an unknown route, with and without a key, under the API and outside', async () => {
      for (const url of ['/', '/api/v2/nothing', '/api/v2/environments/acme/e/report/nothing', '/%20']) {
        const reply = await fastify.inject({ method: 'POST', url, payload: 'x' });
        expect([reply.statusCode, reply.json()]).toEqual([404, { message: 'There is no such route' }]);
      }
    });

    it('an unknown environment: the text of the route where it has its own', async () => {
      const report = await send('PUT', '/api/v2/environments/acme/nowhere/report/docker', {
        payload: '{"artifacts":[]}',
      });
      const get = await send('GET', '/api/v2/environments/acme/nowhere');
      expect([report.status, report.json()]).toEqual([404, { message: 'Environment not found' }]);
      expect([get.status, get.json()]).toEqual([
        404,
        { message: "Environment named 'nowhere' does not exist for organization 'acme'" },
      ]);
      expect((await put('gone')).json()).toEqual({ message: "Environment named 'gone' has been archived" });
    });

    it('a fault: 500 with the correlation id, a log line, and no internal details', async () => {
      logged.length = 0;
      const reply = await put('broken');
      expect([reply.status, reply.json()]).toEqual([
        500,
        { message: `Something went wrong on our side (request ${String(reply.headers['x-request-id'])})` },
      ]);
      expect(logged).toEqual([
        { fields: expect.objectContaining({ route: 'putEnvironment' }) as object, message: 'request failed' },
      ]);
    });

    it('a client that disconnects while it sends is no fault of the service', async () => {
      logged.length = 0;
      const { address, port } = app.getHttpServer().address() as { address: string; port: number };
      const closed = once(app.getHttpServer(), 'request').then((results) =>
        once(results[0] as IncomingMessage, 'close'),
      );
      const socket = connect(port, address, () =>
        socket.write(
          `PUT ${PUT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na`,
          () => setImmediate(() => socket.destroy()),
        ),
      );
      await closed.catch(() => undefined);
      // The effects of the closed connection come before the answer to a request that is sent now.
      expect((await put('prod')).status).toBe(201);
      expect(logged).toEqual([]);
    });

    it('a store that is full or unavailable: 503 with a time to retry', async () => {
      for (const name of ['full', 'unreachable']) {
        const reply = await put(name);
        expect([reply.status, Number(reply.headers['retry-after']) > 0, reply.body]).toEqual([
          503,
          true,
          expect.not.stringMatching(/mongodb|sda1/),
        ]);
      }
    });
  });

  describe('gives each request an id', () => {
    it.each([
      ['run-7.a:b', true],
      ['', false],
      ['a b', false],
      ['x'.repeat(129), false],
      ['"quoted"', false],
    ])('%j is kept: %s', async (text, isKept) => {
      const reply = await send('PUT', REPORT, { payload: '{"artifacts":[]}', headers: { 'x-request-id': text } });
      const { correlation } = reply.json() as { correlation: string };
      expect(reply.headers['x-request-id']).toBe(correlation);
      expect(correlation).toMatch(isKept ? new RegExp(`^${text}$`) : /^id-\d+$/);
    });
  });
});
