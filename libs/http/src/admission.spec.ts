import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { routes } from '@assurance/contracts/http/routes/routes';
import type { Limits } from '@assurance/event-sourcing/tokens';
import { err, ok } from '@assurance/kernel';
import { answer, type Answer } from './answer';
import type { Identity } from './identity';
import { httpAdapter, installPipeline } from './pipeline';
import { Route } from './route.decorator';
import { DEFAULT_LIMITS } from './testing/default-limits';

const LIMITS = { ...DEFAULT_LIMITS, bodyBytes: 4_000, requestsAtOnce: 3, bodyBytesAtOnce: 5_000 };
const REPORT = '/api/v2/environments/acme/prod/report/docker';
const TEMPLATE = '/api/v2/flows/acme/template_file';
const BUSY = { message: 'The service has more to do than it takes at once. Try again in a moment' };

/** Calls that wait in the controller until the test lets them go. */
const inside: (() => void)[] = [];
let arrived: () => void = () => undefined;

@Controller()
class ProbeController {
  @Route(routes.reportDocker)
  async report(): Promise<Answer> {
    await new Promise<void>((go) => {
      inside.push(go);
      arrived();
    });
    return answer(200, 'OK');
  }

  @Route(routes.putFlowTemplateFile)
  template(): Answer {
    return answer(200, 'OK');
  }

  @Route(routes.ready)
  ready(): Answer {
    return answer(200, 'OK');
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

let others = 0;
/** `Bearer <organization>/<name>`, optionally `/<holder>`. A key without a name gives a new caller of a new organization each time. */
function callerOf(authorization: string): Identity {
  const [org, name, holder] = authorization.replace('Bearer ', '').split('/');
  others += 1;
  return {
    org: { id: name === undefined ? `o${others}` : (org ?? ''), name: 'acme' },
    principal: { id: name ?? `p${others}`, kind: 'user', name: 'ada', role: 'admin' },
    ...(holder === undefined ? {} : { holder }),
  };
}

describe('what is under way at once', () => {
  let app: INestApplication;
  let port = 0;
  beforeEach(() => {
    inside.splice(0);
    return start(LIMITS);
  });
  async function start(limits: Limits): Promise<void> {
    app = await NestFactory.create(ProbeModule, httpAdapter(limits), { bodyParser: false, logger: false });
    const quiet = () => undefined;
    await installPipeline(app, {
      identify: ({ authorization }) =>
        Promise.resolve(authorization.length === 0 ? err('unauthenticated') : ok(callerOf(authorization[0] ?? ''))),
      ids: { next: () => 'id', random: (bytes) => new Uint8Array(bytes) },
      limits,
      logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    });
    await app.listen(0, '127.0.0.1');
    const { server } = app.getHttpAdapter().getInstance() as FastifyInstance;
    ({ port } = server.address() as AddressInfo);
  }
  afterEach(async () => {
    inside.splice(0).forEach((go) => go());
    await app.close();
  });

  interface SentRequest {
    readonly call: ClientRequest;
    readonly answer: Promise<{ status: number; body: unknown; retry: string | undefined }>;
  }
  /** Begins a request. The calling code writes and ends its body. */
  function begin(path: string, headers: Record<string, string | number> = {}, method = 'PUT'): SentRequest {
    const call = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      agent: false,
      headers: { authorization: 'Bearer x', 'content-type': 'application/json', ...headers },
    });
    const read = async () => {
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      let text = '';
      for await (const piece of response) text += String(piece);
      return {
        status: response.statusCode ?? 0,
        body: JSON.parse(text) as unknown,
        retry: response.headers['retry-after'],
      };
    };
    const answered = read();
    answered.catch(() => undefined);
    return { call, answer: answered };
  }
  const bodyOf = (bytes: number) => '{"artifacts": []}'.padEnd(bytes);
  /** Sends a report of this length; it stays in the controller. */
  async function holdRequest(bytes: number, headers: Record<string, string> = {}): Promise<SentRequest> {
    const there = new Promise<void>((resolve) => (arrived = resolve));
    const sent = begin(REPORT, { 'content-length': bytes, ...headers });
    sent.call.end(bodyOf(bytes));
    await there;
    return sent;
  }
  function full(bytes: number, headers: Record<string, string | number> = {}) {
    const sent = begin(REPORT, { 'content-length': bytes, ...headers });
    sent.call.end(bodyOf(bytes));
    return sent.answer;
  }
  /** Sends requests until one is accepted: an aborted request keeps its place until the service notices. */
  async function untilLetIn(path: string, bytes: number): Promise<void> {
    for (;;) {
      const sent = begin(path, { 'content-length': bytes, 'content-type': 'text/plain' });
      sent.call.end(bodyOf(bytes));
      const { status } = await sent.answer;
      if (status === 415) return;
      expect(status).toBe(503);
    }
  }

  it('limits requests; one more is asked to retry, and is accepted after another one is answered', async () => {
    const first = await holdRequest(20);
    await holdRequest(20);
    await holdRequest(20);
    expect(await full(20)).toEqual({ status: 503, body: BUSY, retry: '1' });
    const ready = await fetch(`http://127.0.0.1:${port}/ready`);
    expect(ready.status).toBe(200);
    inside.shift()?.();
    expect(await first.answer).toMatchObject({ status: 200 });
    await untilLetIn(REPORT, 20);
  });

  it('limits bytes', async () => {
    await holdRequest(4_000);
    expect(await full(2_000)).toEqual({ status: 503, body: BUSY, retry: '1' });
    await holdRequest(1_000);
  });

  it('gives a small body its place once it has arrived, and none while it has not', async () => {
    const slow = Array.from({ length: 3 * LIMITS.requestsAtOnce }, () => begin(REPORT, { 'content-length': 20 }));
    for (const { call } of slow) {
      call.on('error', () => undefined);
      await new Promise<void>((written) => call.write('{', () => written()));
    }
    await holdRequest(20);
    await holdRequest(20);
    const [first, second] = slow;
    const there = new Promise<void>((resolve) => (arrived = resolve));
    first?.call.end('"artifacts": []}   ');
    await there;
    second?.call.end('"artifacts": []}   ');
    expect(await second?.answer).toEqual({ status: 503, body: BUSY, retry: '1' });
    for (const { call } of slow) call.destroy();
  });

  it('counts a body that does not say its length while it is read', async () => {
    await holdRequest(4_000);
    const { call, answer: refused } = begin(REPORT);
    call.write(bodyOf(900));
    call.end(bodyOf(900));
    expect(await refused).toEqual({ status: 503, body: BUSY, retry: '1' });
    const there = new Promise<void>((resolve) => (arrived = resolve));
    const small = begin(REPORT);
    small.call.end(bodyOf(900));
    await there;
    inside.splice(0).forEach((go) => go());
    expect(await small.answer).toMatchObject({ status: 200 });
  });

  it('counts a form that does not say its length as the largest', async () => {
    await holdRequest(1_500);
    const form = begin(TEMPLATE, { 'content-type': 'multipart/form-data; boundary=x' });
    form.call.flushHeaders();
    expect(await form.answer).toEqual({ status: 503, body: BUSY, retry: '1' });
    form.call.destroy();
  });

  it.each([
    ['a body that says its length', REPORT, { 'content-length': 3_900 }],
    ['a body that does not', REPORT, {}],
    ['a form', TEMPLATE, { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 3_900 }],
  ] as const)('has room again after %s was cut off', async (_, path, headers) => {
    for (let i = 0; i < 2 * LIMITS.requestsAtOnce; i += 1) {
      const { call, answer: none } = begin(path, headers);
      call.write('--x\r\ncontent-disposition: form-data; name="data_json"\r\n\r\n{'.padEnd(1_000));
      call.on('error', () => undefined);
      await once(call, 'socket');
      await new Promise<void>((written) => call.write(' ', () => written()));
      call.destroy();
      await none.catch(() => undefined);
    }
    await untilLetIn(REPORT, 3_900);
    await holdRequest(20);
    await holdRequest(20);
  });

  it('is divided among holders, however many organizations one has', async () => {
    await app.close();
    await start({ ...LIMITS, requestsAtOnce: 8 });
    const first = await holdRequest(20, { authorization: 'Bearer one/ada/u1' });
    await holdRequest(20, { authorization: 'Bearer one/bob/u1' });
    await holdRequest(20, { authorization: 'Bearer two/cleo/u1' });
    await holdRequest(20, { authorization: 'Bearer other/eve/u2' });
    expect(await full(20, { authorization: 'Bearer two/dan/u1' })).toEqual({
      status: 429,
      body: {
        message:
          'Requests of the holder of this organization that are under way are more than the 3 that it may have at once. Try again in a moment',
      },
      retry: '1',
    });
    await holdRequest(20, { authorization: 'Bearer other/fred/u2' });
    inside.shift()?.();
    await first.answer;
    await untilLetIn(REPORT, 20);
  });

  it('is a part of all bytes for one caller, in whatever organization', async () => {
    const wide = { ...LIMITS, requestsAtOnce: 100 };
    await app.close();
    await start(wide);
    await holdRequest(1_000, { authorization: 'Bearer one/ada' });
    expect(await full(1_000, { authorization: 'Bearer two/ada' })).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('of this caller that are under way have more than the 1000 bytes') },
    });
    await holdRequest(1_000, { authorization: 'Bearer two/bob' });
  });

  it('takes no room for a large body that is announced and does not come', async () => {
    const large = 200_000;
    await app.close();
    await start({ ...LIMITS, requestsAtOnce: 100, bodyBytes: large, bodyBytesAtOnce: large });
    const idle = Array.from({ length: 4 }, () => begin(REPORT, { 'content-length': large }));
    for (const { call } of idle) {
      call.on('error', () => undefined);
      await new Promise<void>((written) => call.write(' ', () => written()));
    }
    await holdRequest(large - 1_000);
    for (const { call } of idle) call.destroy();
  });

  it('keeps the share of a caller who disconnected until the work is done', async () => {
    const abandoned = [await holdRequest(20), await holdRequest(20), await holdRequest(20)];
    for (const { call } of abandoned) {
      call.on('error', () => undefined);
      call.destroy();
    }
    await Promise.allSettled(abandoned.map(({ answer: none }) => none));
    for (let i = 0; i < 5; i += 1) expect(await full(20)).toMatchObject({ status: 503 });
    inside.splice(0).forEach((go) => go());
    await untilLetIn(REPORT, 20);
  });

  it('parses two large bodies of an organization at once, and the next one when those of disconnected callers end', async () => {
    const bytes = 200_000;
    await app.close();
    await start({ ...LIMITS, requestsAtOnce: 100, bodyBytes: bytes, bodyBytesAtOnce: 20 * bytes });
    const send = (name: string) => {
      const sent = begin(REPORT, { authorization: `Bearer one/${name}`, 'content-length': bytes });
      sent.call.on('error', () => undefined).end(bodyOf(bytes));
      return sent;
    };
    const another = () => new Promise<void>((resolve) => (arrived = resolve));
    for (const name of ['ada', 'bob']) {
      const came = another();
      const { call, answer: none } = send(name);
      await came;
      call.destroy();
      await expect(none).rejects.toThrow('socket hang up');
    }
    const third = send('cleo');
    // Small bodies and bodies of other organizations do not wait.
    await holdRequest(20, { authorization: 'Bearer one/dan' });
    const came = another();
    begin(REPORT, { authorization: 'Bearer two/eve', 'content-length': bytes }).call.end(bodyOf(bytes));
    await came;
    expect(inside).toHaveLength(4);
    const last = another();
    inside.splice(0).forEach((go) => go());
    await last;
    inside.splice(0).forEach((go) => go());
    expect(await third.answer).toMatchObject({ status: 200 });
  });

  it('reads eight large bodies of an organization at once, and the next one once the client of one went', async () => {
    const bytes = 100_000;
    await app.close();
    await start({ ...LIMITS, requestsAtOnce: 100, bodyBytes: bytes, bodyBytesAtOnce: 100 * bytes });
    const large = (name: string) => begin(REPORT, { authorization: `Bearer one/${name}`, 'content-length': bytes });
    const eight = Array.from({ length: 8 }, (_, i) => large(`${i}`));
    for (const { call } of eight) {
      call.on('error', () => undefined);
      await new Promise<void>((written) => call.write(' ', () => written()));
    }
    let isRead = false;
    const ninth = large('ninth');
    ninth.call.end(bodyOf(bytes));
    const read = ninth.answer.then(() => (isRead = true));
    // Small bodies and bodies of other organizations do not wait.
    for (const authorization of ['Bearer one/small', 'Bearer one/small', 'Bearer two/eve']) {
      const other = await holdRequest(authorization.includes('one') ? 20 : bytes, { authorization });
      inside.splice(0).forEach((go) => go());
      await other.answer;
    }
    expect(isRead).toBe(false);
    const there = new Promise<void>((resolve) => (arrived = resolve));
    eight[0]?.call.destroy();
    await there;
    inside.splice(0).forEach((go) => go());
    await read;
    for (const { call } of eight) call.destroy();
  });

  it('gives nothing to a request that is not accepted', async () => {
    for (let i = 0; i < 2 * LIMITS.requestsAtOnce; i += 1) {
      expect(await full(3_900, { authorization: [] as unknown as string })).toMatchObject({ status: 401 });
    }
    await holdRequest(3_900);
  });
});
