import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Metrics } from './metrics';
import { type LogEntry, Reporter } from './reporter';
import type { Source } from './report';
import { keyFrom } from './service';
import { Cloud, digest, NETWORK, type ReplayedResponse } from './testing/replay';

const report = { artifacts: [{ digests: { web: digest('a') }, creationTimestamp: 0 }] };

describe('a report that the service cannot take', () => {
  const service = new Cloud();
  let url: string;
  beforeAll(async () => void (url = await service.start()));
  beforeEach(() => (service.requests.length = 0));
  afterAll(() => service.stop());

  /** Reports once, with retries for up to ten minutes. A passing test needs no such time. */
  async function reportOnce(
    key: () => string,
    answer: ReplayedResponse,
    create: { description: string } | null = null,
  ) {
    service.answer = () => answer;
    const entries: LogEntry[] = [];
    const target = {
      url,
      organization: 'acme',
      environment: 'production',
      kind: 'docker',
      create,
      key,
      network: NETWORK,
    } as const;
    const metrics = new Metrics([{ environment: 'production', kind: 'docker' }]);
    const source = { collect: async () => Promise.resolve(report) };
    const signal = AbortSignal.timeout(600_000);
    const taken = await new Reporter(target, source, metrics, (entry) => entries.push(entry), signal).runOnce();
    return { taken, told: entries.map(({ message }) => message) };
  }

  it.each([
    [401, 'Missing or invalid API key'],
    [403, "You don't have permission to access this resource"],
    [400, 'Invalid report data'],
    [404, 'Environment not found'],
  ])('is not sent again after %s', async (status, message) => {
    for (const create of [null, { description: '' }]) {
      const refused = { status: create !== null && status === 404 ? 400 : status, body: { message } };
      const { taken: answer, told: items } = await reportOnce(() => 'key', refused, create);
      expect(answer).toBe(false);
      expect(items).toEqual([`The service answers ${refused.status}: ${message}`]);
      expect(service.requests.splice(0)).toHaveLength(1);
    }
  });

  const missing = join(tmpdir(), 'assurance-no-such-key');
  it.each([
    ['variable', keyFrom(null, 'REPORTER_API_KEY', {}), 'There is no API key: set REPORTER_API_KEY, or `apiKeyFile`'],
    ['file', keyFrom(missing, 'REPORTER_API_KEY', {}), missing],
  ])('is not sent without a key: the %s is not there', async (_, key, text) => {
    const result = await reportOnce(key, { body: '"OK"' });
    expect(result.taken).toBe(false);
    expect(result.told).toEqual([expect.stringContaining(text)]);
    expect(service.requests).toEqual([]);
  });

  it.each([429, 503])('is sent again after %s', async (status) => {
    let answers = 0;
    const answer = {
      get status() {
        return (answers += 1) === 1 ? status : 200;
      },
      headers: { 'retry-after': '0' },
      body: '"OK"',
    };
    expect((await reportOnce(() => 'key', answer)).taken).toBe(true);
    expect(service.requests).toHaveLength(2);
  });
});

describe('a reporter', () => {
  const service = new Cloud();
  let url: string;
  beforeAll(async () => void (url = await service.start()));
  beforeEach(() => (service.requests.length = 0));
  afterAll(() => service.stop());

  function reporter(collect: () => Promise<typeof report>, signal: AbortSignal, retrySeconds?: number) {
    const entries: LogEntry[] = [];
    const target = {
      url,
      organization: 'acme',
      environment: 'e',
      kind: 'docker',
      create: null,
      key: () => 'k',
    } as const;
    const metrics = new Metrics([{ environment: 'e', kind: 'docker' }]);
    const source: Source = {
      collect,
      async watch(changed) {
        while (!signal.aborted) {
          changed();
          await setTimeout(10);
        }
      },
    };
    const log = (entry: LogEntry) => entries.push(entry);
    const made = new Reporter({ ...target, network: NETWORK }, source, metrics, log, signal, retrySeconds);
    return { reporter: made, entries };
  }

  it('counts the time for retries from the first attempt, so a long look is sent', async () => {
    service.answer = () => ({ body: JSON.stringify('taken') });
    const { signal } = new AbortController();
    expect(await reporter(async () => setTimeout(1_200, report), signal, 0).reporter.runOnce()).toBe(true);
    service.answer = () => ({ status: 503, body: { message: 'later' } });
    const { reporter: refused, entries } = reporter(async () => Promise.resolve(report), signal, 0);
    expect(await refused.runOnce()).toBe(false);
    expect(entries.at(-1)?.message).toBe('The report is not sent: the service did not take it within 0 s.');
    expect(service.requests).toHaveLength(2);
  });

  it('looks seldom however often something changes', async () => {
    service.answer = () => ({ body: JSON.stringify('taken') });
    const looks: number[] = [];
    const collect = async () => {
      looks.push(performance.now());
      return Promise.resolve(report);
    };
    await reporter(collect, AbortSignal.timeout(1_500)).reporter.follow(60, { settleMs: 20, apartMs: 400 });
    expect(looks.length).toBeGreaterThan(1);
    expect(Math.min(...looks.slice(1).map((at, i) => at - (looks[i] ?? 0)))).toBeGreaterThan(390);
  });

  it('is live while looks end, complete or not', async () => {
    const metrics = new Metrics([{ environment: 'e', kind: 'docker' }]);
    const server = metrics.listen('127.0.0.1', 0, 200);
    await once(server, 'listening');
    const live = async () => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/live`)).status;
    expect(await live()).toBe(200);
    await setTimeout(250);
    expect(await live()).toBe(503);
    metrics.countLook('e');
    expect(await live()).toBe(200);
    server.close();
  });
});
