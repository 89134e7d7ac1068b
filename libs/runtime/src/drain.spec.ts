import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import fastify from 'fastify';
import { drain } from './drain';
import { listen, probeAddress } from './listen';

const LOCAL = { host: '127.0.0.1', port: 0 };

/** A client with one kept-alive connection. Each call sends a request and returns the `Connection` header of the answer. */
function keepAliveClient(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async () => {
    const [response] = (await once(request({ ...LOCAL, port, agent }).end(), 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response.headers.connection;
  };
}

/** A server with one route. It answers when the test calls `answer`. */
async function server() {
  const app = fastify();
  let answer: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (answer = resolve));
  let entered: () => void = () => undefined;
  const inside = new Promise<void>((resolve) => (entered = resolve));
  app.get('/', async () => {
    entered();
    await gate;
    return 'done';
  });
  const listening = await listen(app, LOCAL);
  if (!listening.ok) throw new Error(listening.refusal);
  const call = () => request({ ...LOCAL, port: listening.value }).end();
  return { app, port: listening.value, call, inside, answer };
}

describe('drain', () => {
  it('lets a request under way end, and takes no new one', async () => {
    const { app, call, inside, answer } = await server();
    const slow = call();
    await inside;
    const drained = drain(app, { lameDuck: 0, within: 60_000 });
    while (app.server.listening) await turn();
    await expect(once(call(), 'response')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    answer();
    const [response] = (await once(slow, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(200);
    await drained;
  });

  it('tells clients with open connections to close them, and waits for that', async () => {
    const { app, port, answer } = await server();
    answer();
    const call = keepAliveClient(port);
    expect(await call()).toBe('keep-alive');
    const drained = drain(app, { lameDuck: 60_000, within: 1 });
    expect(await call()).toBe('close');
    await drained;
    await expect(call()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('accepts new connections for the set time, also without open connections', async () => {
    const { app, call, answer } = await server();
    answer();
    const begun = performance.now();
    const drained = drain(app, { lameDuck: 0, accepting: 300, within: 60_000 });
    const [response] = (await once(call(), 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    response.resume();
    await drained;
    expect(performance.now() - begun).toBeGreaterThanOrEqual(299);
    await expect(once(call(), 'response')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('does not wait for idle connections', async () => {
    const { app, port, answer } = await server();
    answer();
    const call = keepAliveClient(port);
    await call();
    await drain(app, { lameDuck: 1, within: 60_000 });
    await expect(keepAliveClient(port)()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('cuts off what does not end', async () => {
    const { app, call, inside } = await server();
    const endless = once(call(), 'response');
    await inside;
    const cut = expect(endless).rejects.toMatchObject({ code: 'ECONNRESET' });
    await drain(app, { lameDuck: 0, within: 1 });
    await cut;
  });
});

describe('listen', () => {
  it('names port and variable when the port is in use', async () => {
    const { app, port } = await server();
    const second = fastify();
    const used = {
      ok: false,
      refusal: `Port ${port} of 127.0.0.1 is in use by another process: stop it, or set ASSURANCE_PORT to another port.`,
    };
    expect(await probeAddress({ ...LOCAL, port })).toEqual(used);
    expect(await listen(second, { ...LOCAL, port })).toEqual(used);
    await second.close();
    await app.close();
  });

  it('names the host that is not of this machine', async () => {
    expect(await probeAddress({ host: '192.0.2.1', port: 0 })).toEqual({
      ok: false,
      refusal: 'ASSURANCE_HOST is 192.0.2.1, which is not an address of this machine.',
    });
  });

  it('leaves an address that it tried free', async () => {
    const { app, port } = await server();
    await app.close();
    expect(await probeAddress({ ...LOCAL, port })).toEqual({ ok: true, value: null });
    const again = fastify();
    expect(await listen(again, { ...LOCAL, port })).toEqual({ ok: true, value: port });
    await again.close();
  });
});
