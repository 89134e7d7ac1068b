import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AdmissionSettings } from '../config';
import { EVERYTHING } from '../name-filter';
import { digest, NETWORK } from '../testing/replay';
import { Gate } from './gate';
import type { Fault } from './verdict';

const IMAGE = `web@sha256:${digest('ab')}`;
/** Distinct digests, whose images have the same name. */
const images = (count: number) => Array.from({ length: count }, (_, i) => `web@sha256:${String(i).padStart(64, '0')}`);
const containers = (names: readonly string[]) => ({ spec: { containers: names.map((image) => ({ image })) } });

describe('the gate before a service', () => {
  let answer: (response: ServerResponse, fingerprint: string) => void;
  /** The digests of which the service was asked. */
  let questions: string[];
  let faults: Fault[];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    const fingerprint = pathname.slice(-64);
    questions.push(fingerprint);
    response.setHeader('x-assurance-verdict', `compliant; sha256=${fingerprint}; environment=prod`);
    answer(response, fingerprint);
  });
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  beforeEach(() => void ([questions, faults] = [[], []]));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const compliant = (response: ServerResponse) => void response.end('{}');

  /** Lets the service take a time for each answer (milliseconds). @returns how many questions waited at once at most */
  function answerAfter(ms: number): () => number {
    let [running, most] = [0, 0];
    answer = (response) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        response.end('{}');
      }, ms);
    };
    return () => most;
  }

  /** Reviews a pod in `shop`, or in `tools`, which fails open. */
  async function review(names: readonly string[], { namespace = 'tools', timeoutMs = 20_000, key = 'key' } = {}) {
    const settings = {
      organization: 'acme',
      environment: 'prod',
      apiKeyFile: null,
      apiKeyVariable: 'KEY',
      namespaces: EVERYTHING,
      failOpen: { ...EVERYTHING, include: ['tools'] },
      allowUnjudged: true,
      timeoutMs,
    } as unknown as AdmissionSettings;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const gate = new Gate(url, settings, NETWORK, { KEY: key }, (fault) => void faults.push(fault));
    return gate.review({ uid: '1', namespace, object: containers(names) });
  }

  it.each<[kind: string, answer: typeof answer]>([
    ['no answer at all', () => undefined],
    [
      'an answer that never ends',
      (response) => {
        response.flushHeaders();
        const timer = setInterval(() => response.write(' '), 50);
        response.once('close', () => clearInterval(timer));
      },
    ],
    ['half an answer', (response) => void response.write('{', () => response.destroy())],
  ])('admits nothing in a namespace that fails closed: %s', async (_kind, faulty) => {
    answer = faulty;
    expect((await review([IMAGE], { namespace: 'shop', timeoutMs: 300 })).allowed).toBe(false);
    expect((await review([IMAGE], { namespace: 'tools', timeoutMs: 300 })).warnings).toHaveLength(1);
    expect(faults).toEqual(['unavailable', 'unavailable']);
    answer = compliant;
    expect(await review([IMAGE], { namespace: 'shop' })).toMatchObject({ allowed: true, warnings: [] });
  });

  it('asks once a digest, however many names it has', async () => {
    answer = compliant;
    const names = Array.from({ length: 99 }, (_, i) => `web-${i}@sha256:${digest('ab')}`);
    expect((await review([...names, `web@sha256:${digest('cd')}`])).allowed).toBe(true);
    expect(questions.toSorted()).toEqual([digest('ab'), digest('cd')]);
    answer = (response) => void response.writeHead(500).end();
    expect((await review(names)).warnings).toEqual([expect.stringMatching(/^not judged: web-0@.+ and 98 more names/)]);
  });

  it('asks eight questions at a time', async () => {
    const mostAtOnce = answerAfter(20);
    expect((await review(images(40))).allowed).toBe(true);
    expect([questions.length, mostAtOnce()]).toEqual([40, 8]);
  });

  it('asks at most 64 questions at a time for all reviews, so that a flood of them does not keep the service busy', async () => {
    const mostAtOnce = answerAfter(100);
    const reviews = await Promise.all(Array.from({ length: 20 }, async () => review(images(8))));
    expect([reviews.every(({ allowed }) => allowed), questions.length, mostAtOnce()]).toEqual([true, 160, 64]);
  });

  it('refuses more than 100 different images everywhere, and asks nobody', async () => {
    answer = compliant;
    expect((await review(images(100))).allowed).toBe(true);
    questions = [];
    for (const namespace of ['shop', 'tools']) {
      const message = 'The pod has 101 different images, more than the 100 that are judged.';
      expect(await review(images(101), { namespace })).toMatchObject({ allowed: false, message });
    }
    expect(questions).toEqual([]);
  });

  it('admits no image that the time did not suffice to ask about, while the service answers for others', async () => {
    answer = (response) => void setTimeout(() => response.end('{}'), 200);
    expect((await review(images(40), { timeoutMs: 500 })).allowed).toBe(false);
    answer = () => undefined;
    expect((await review(images(40), { timeoutMs: 300 })).allowed).toBe(true);
  });

  it.each([
    [429, {}],
    [429, { 'retry-after': '0' }],
    [503, { 'retry-after': '1' }],
  ])('asks again within its time after %i with %j', async (status, headers) => {
    answer = (response) =>
      questions.length < 3 ? void response.writeHead(status, headers).end('busy') : void response.end('{}');
    expect(await review([IMAGE])).toMatchObject({ allowed: true, warnings: [] });
    expect([questions.length, faults]).toEqual([3, []]);
  });

  it('does not wait longer than its time for a busy service', async () => {
    answer = (response) => void response.writeHead(429, { 'retry-after': '30' }).end('busy');
    expect(await review([IMAGE], { namespace: 'shop' })).toMatchObject({
      allowed: false,
      message: expect.stringContaining('the service answers 429: busy') as string,
    });
    answer = (response) => void response.writeHead(503).end('away');
    expect((await review([IMAGE])).warnings).toEqual([expect.stringContaining('the service answers 503: away')]);
    expect(questions).toHaveLength(2);
  });

  it('is misconfigured without a key', async () => {
    answer = compliant;
    const message = expect.stringContaining('the gate is misconfigured. There is no API key') as string;
    expect(await review([IMAGE], { namespace: 'shop', key: '' })).toMatchObject({ allowed: false, message });
    expect([faults, questions]).toEqual([['misconfigured'], []]);
  });
});
