import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Operation, OperationRefused, type Progress } from '@assurance/event-sourcing/operation';
import { drain } from '../drain';
import { openLog } from '../log';
import { Metrics } from '../metrics/metrics';
import { AdminCommands } from './admin-commands';
import { operationsListener } from './listener';
import { operationsToken } from './token';

const token = operationsToken('the secret of this test alone');
const logger = openLog('silent');

/** An operation that ends when the test or its signal ends it. */
class Long implements Operation {
  readonly name = 'long';
  readonly usage = '';
  readonly summary = 'takes its time';
  private began: () => void = () => undefined;
  readonly running = new Promise<void>((resolve) => (this.began = resolve));
  private onEnding: (ending: 'ended' | 'stopped') => void = () => undefined;
  readonly ending = new Promise<'ended' | 'stopped'>((resolve) => (this.onEnding = resolve));

  async run(args: readonly string[], report: (progress: Progress) => void, signal: AbortSignal) {
    if (args.length > 0) throw new OperationRefused('long takes no arguments.');
    for (let done = 1; done <= 1_000; done += 1) report({ done, of: 1_000, unit: 'steps' });
    signal.addEventListener('abort', () => this.onEnding('stopped'), { once: true });
    this.began();
    if ((await this.ending) === 'stopped') throw new Error('there is nobody who waits');
    return { ok: true, summary: 'Done.' };
  }

  end(): void {
    this.onEnding('ended');
  }
}

describe('the operations listener', () => {
  let long: Long;
  let commands: AdminCommands;
  let url: string;
  let problems: string[];
  let close: () => Promise<void>;

  beforeEach(async () => {
    long = new Long();
    problems = [];
    const broken = { name: 'broken', usage: '', summary: 'fails', run: () => Promise.reject(new Error('a fault')) };
    commands = new AdminCommands([long, broken], logger);
    const health = { problems: () => problems };
    const listener = operationsListener({ health, metrics: new Metrics(), commands, token, logger, tls: null });
    await listener.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(listener.server.address() as AddressInfo).port}`;
    close = () => drain(listener, { lameDuck: 0, within: 1 });
  });
  afterEach(async () => {
    long.end();
    await close();
  });

  const headers = { authorization: `Bearer ${token}` };
  const run = (name: string, args: string[] = []) =>
    fetch(`${url}/operations/${name}`, { method: 'POST', headers, body: JSON.stringify({ args }) });
  const linesOf = async (response: Response) =>
    (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);

  it('says what is missing', async () => {
    problems = ['a', 'b'];
    const ready = await fetch(`${url}/ready`);
    expect([ready.status, await ready.text()]).toEqual([503, 'a; b']);
    const live = await fetch(`${url}/live`);
    expect([live.status, live.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
  });

  it('reads no address and no header that is too long', async () => {
    const long = await fetch(`${url}/live?${'a'.repeat(8_200)}`);
    expect([long.status, await long.json()]).toEqual([414, { message: expect.stringMatching('limit of 8192 bytes') }]);
    const header = await fetch(`${url}/live`, { headers: { authorization: `a${' '.repeat(20_000)}a` } });
    expect([header.status, await header.json()]).toEqual([
      431,
      { message: expect.stringMatching("'authorization' has 20015 bytes") },
    ]);
  });

  it('streams progress, not all of it, and then the outcome', async () => {
    const response = await run('long');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    await long.running;
    long.end();
    const lines = await linesOf(response);
    expect(lines[0]).toEqual({ progress: { done: 1, of: 1_000, unit: 'steps' } });
    expect(lines.slice(-2)).toEqual([
      { progress: { done: 1_000, of: 1_000, unit: 'steps' } },
      { outcome: { ok: true, summary: 'Done.' } },
    ]);
    expect(lines.length).toBeLessThan(100);
  });

  it('runs an operation once at a time', async () => {
    const first = run('long');
    await long.running;
    const second = await run('long');
    expect([second.status, await second.json()]).toEqual([409, { message: 'long is already running' }]);
    expect(await linesOf(await run('broken'))).toEqual([{ error: 'broken failed: a fault' }]);
    long.end();
    await (await first).text();
    expect(commands.problemOf('long')).toBeNull();
  });

  it('stops the work when the client disconnects', async () => {
    const call = request(`${url}/operations/long`, { method: 'POST', headers });
    call.on('error', () => undefined).end();
    await once(call, 'response');
    await long.running;
    call.destroy();
    expect(await long.ending).toBe('stopped');
  });

  it('stops its operations when the process ends, and says so', async () => {
    const response = await run('long');
    await long.running;
    await commands.stop();
    expect((await linesOf(response)).at(-1)).toEqual({ error: 'long was stopped: there is nobody who waits' });
    expect(await linesOf(await run('long'))).toEqual([{ error: 'The service is shutting down.' }]);
  });

  it('answers refused words with their sentence', async () => {
    expect(await linesOf(await run('long', ['word']))).toEqual([{ error: 'long takes no arguments.' }]);
  });

  it.each([
    ['GET', '/operations/long', 405],
    ['POST', '/operations', 405],
    ['POST', '/live', 404],
    ['GET', '/', 404],
    ['GET', '/operations/a/b', 404],
  ])('answers %s %s with %i', async (method, path, status) => {
    expect((await fetch(url + path, { method, headers })).status).toBe(status);
  });

  it('refuses a body without end', async () => {
    const body = JSON.stringify({ args: ['x'.repeat(100_000)] });
    expect((await fetch(`${url}/operations/long`, { method: 'POST', headers, body })).status).toBe(400);
  });
});
