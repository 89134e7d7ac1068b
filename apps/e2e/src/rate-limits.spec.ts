import type { Served } from '@assurance/runtime';
import type { Answer } from './support/contract';
import { keyOf } from './support/declared';
import { deployments } from './support/deployments';
import { eventually } from './support/eventually';
import type { RunningService } from './support/running';
import { type SplitServices, startSplit } from './support/split';
import { worldOf } from './support/world';

const START_MS = 90_000;
const MINUTE_MS = 60_000;
const KEY = 60;
const ORGANIZATION = 90;
const SETTINGS = {
  ASSURANCE_MAX_REQUESTS_PER_MINUTE_PER_KEY: String(KEY),
  ASSURANCE_MAX_REQUESTS_PER_MINUTE: String(ORGANIZATION),
};
const PATH = '/environments/acme';

/** A clock that begins with a minute, and can be set to the next one: no test ends in another minute than it began in. */
function minutes() {
  const since = performance.now();
  let start = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  return {
    now: () => Math.floor(start + ((performance.now() - since) % MINUTE_MS)),
    next: () => (start += MINUTE_MS),
  };
}

const letIn = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

describe.each(deployments)('rate limits on the $name deployment', (deployment) => {
  const clock = minutes();
  let running: RunningService;
  beforeAll(async () => {
    running = await deployment.start(SETTINGS, clock.now);
  }, START_MS);
  afterAll(async () => {
    await running.stop();
    expect(running.faults).toEqual([]);
  }, START_MS);

  it('permit the requests of a key for a minute, show how many are left, and refuse more until the next minute', async () => {
    const world = await worldOf(running);
    const [member, reader] = [world.as('member'), world.as('reader')];
    const first = await member.send('GET', PATH);
    expect([first.status, first.headers.get('ratelimit-limit')]).toEqual([200, String(KEY)]);
    expect(Number(first.headers.get('ratelimit-remaining'))).toBe(KEY - 1);
    expect(Number(first.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60);

    let count = 1;
    let refused: Answer | undefined;
    // Until no gateway has anything left, nor will have before the next minute: one that waited too long for the others says to try again.
    const isOver = ({ status, headers }: Answer) => status !== 200 && Number(headers.get('retry-after')) > 1;
    for (let [round, over] = [0, false]; !over; round += 1) {
      const answers = await Promise.all(Array.from({ length: 2 * KEY }, () => member.send('GET', PATH)));
      count += letIn(answers);
      refused = answers.findLast(({ status }) => status !== 200);
      over = answers.every(isOver);
      expect(round).toBeLessThan(1_000);
    }
    expect(count).toBeGreaterThanOrEqual(KEY);
    expect(count).toBeLessThanOrEqual(1.2 * KEY);
    expect(refused?.status).toBe(429);
    expect(refused?.headers.get('ratelimit-remaining')).toBe('0');
    const seconds = refused?.headers.get('retry-after');
    expect(refused?.body).toEqual({
      message: `More than ${KEY} requests came in this minute. Try again in ${seconds} s`,
    });

    expect((await reader.send('GET', PATH)).status).toBe(200);
    expect((await member.send('GET', '/openapi.json')).status).toBe(200);
    clock.next();
    expect((await member.send('GET', PATH)).status).toBe(200);
  }, 60_000);

  it('apply the limit of an organization to all its keys together', async () => {
    clock.next();
    const world = await worldOf(running);
    const callers = [world.as('admin'), world.as('member'), world.as('reader')];
    const answers = await Promise.all(
      callers.flatMap((caller) => Array.from({ length: KEY }, () => caller.send('GET', PATH))),
    );
    expect(letIn(answers)).toBeLessThanOrEqual(1.2 * ORGANIZATION);
    const of = new Set(answers.filter(({ status }) => status === 429).map(({ body }) => JSON.stringify(body)));
    expect([...of].some((text) => text.includes(String(ORGANIZATION)))).toBe(true);
  }, 60_000);
});

describe('three gateways of one installation', () => {
  const clock = minutes();
  let split: SplitServices;
  let gateways: readonly Served[];
  beforeAll(async () => {
    split = await startSplit(SETTINGS, clock.now);
    gateways = [...split.gateways, await split.addGateway({})];
  }, START_MS);
  afterAll(() => split.stop(), START_MS);

  it('together admit at least the limit and at most a fifth more', async () => {
    const ask = async ({ url }: Served) => {
      const answer = await fetch(`${url}/api/v2${PATH}`, { headers: { authorization: `Bearer ${keyOf('member')}` } });
      await answer.arrayBuffer();
      return answer;
    };
    /** How many are admitted when each gateway gets requests for the whole limit. */
    const admittedCount = async () => {
      const answers = await Promise.all(gateways.flatMap((gateway) => Array.from({ length: KEY }, () => ask(gateway))));
      return answers.filter(({ status }) => status === 200).length;
    };
    let count = 0;
    // A gateway without an answer of the others in time keeps to its part, and asks again a second later.
    const all = await eventually(
      async () => (count += await admittedCount()),
      (sum) => sum >= KEY,
    );
    expect(all).toBeGreaterThanOrEqual(KEY);
    for (let again = 0; again < 3; again += 1) count += await admittedCount();
    expect(count).toBeLessThanOrEqual(1.2 * KEY);
  }, 60_000);
});
