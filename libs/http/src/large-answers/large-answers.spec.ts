import { EventEmitter } from 'node:events';
import { ANSWERS_AT_ONCE } from '@assurance/contracts/http/large-answers';
import { type LargeAnswer, LargeAnswers } from './large-answers';
import { LongBody } from './long-body';

const MiB = 1024 * 1024;

/** A client that reads as fast as the test says. */
class Client extends EventEmitter {
  isClosed = false;
  bytesSent = 0;
  isBlocked = true;
  answer: LargeAnswer | null = null;
  refused: unknown = null;

  onClose(onClosed: () => void): void {
    this.once('close', onClosed);
  }
  destroy(): void {
    this.isClosed = true;
    this.emit('close');
  }
}

describe('large answers', () => {
  let answers: LargeAnswers;
  beforeEach(() => {
    jest.useFakeTimers();
    answers = new LargeAnswers();
  });
  afterEach(() => {
    answers.stop();
    jest.useRealTimers();
  });

  async function ask(holder: string, caller: string, weight = 1): Promise<Client> {
    const client = new Client();
    answers.enter({ holder, caller }, weight, client).then(
      (answer) => (client.answer = answer),
      (refusal: unknown) => (client.refused = refusal),
    );
    await settle();
    return client;
  }
  const settle = () => jest.advanceTimersByTimeAsync(0);
  const started = (clients: readonly Client[]) => clients.filter(({ answer }) => answer !== null).length;
  async function askMany(count: number, holder: string, weight = 1): Promise<Client[]> {
    const clients: Client[] = [];
    for (let i = 0; i < count; i += 1) clients.push(await ask(holder, `${holder} ${i}`, weight));
    return clients;
  }

  it('are made a few at a time of one holder, and at once of another', async () => {
    const clients = await askMany(40, 'eve');
    expect(started(clients)).toBe(ANSWERS_AT_ONCE / 2);
    const other = await ask('ada', 'ada');
    expect(other.answer).not.toBeNull();
    for (const { answer } of clients) answer?.noteMade(1);
    await settle();
    expect(started(clients)).toBeGreaterThan(ANSWERS_AT_ONCE / 2);
  });

  it('count by their weight, and the first of a holder is always made', async () => {
    expect(started(await askMany(9, 'eve', 4))).toBe(2);
    expect(started(await askMany(9, 'ada', 8))).toBe(1);
    expect(started(await askMany(1, 'cleo', 4))).toBe(0);
  });

  it('count while they are read, and no longer', async () => {
    const first = await ask('eve', 'eve');
    first.answer?.noteMade(60 * MiB);
    const second = await ask('eve', 'bob');
    expect(second.answer).not.toBeNull();
    second.answer?.noteMade(61 * MiB);
    const third = await ask('eve', 'cleo');
    expect(third.answer).toBeNull();
    first.destroy();
    await settle();
    expect(third.answer).toBeNull();
    second.destroy();
    await settle();
    expect(third.answer).not.toBeNull();
  });

  it('count once where many read the same one', async () => {
    const body = new LongBody([Buffer.alloc(10 * MiB)]);
    const clients: Client[] = [];
    for (let i = 0; i < 240; i += 1) {
      const client = await ask('eve', `eve ${i % 4}`);
      client.answer?.noteMade(body);
      clients.push(client);
    }
    expect(started(clients)).toBe(240);
    for (const client of clients) client.destroy();
    const large = await ask('eve', 'eve 5');
    large.answer?.noteMade(50 * MiB);
    expect((await ask('eve', 'eve 6')).answer).not.toBeNull();
  });

  it('are refused after ten seconds, and their wait ends with their client', async () => {
    const [first, ...others] = await askMany(12, 'eve', 8);
    expect(started(others)).toBe(0);
    others[0]?.destroy();
    await settle();
    others[0]?.answer?.noteMade(0);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(others.map(({ refused }) => refused).filter((refusal) => refusal !== null)).toHaveLength(10);
    expect(others[1]?.refused).toMatchObject({ refusal: { kind: 'too-many-large-answers', seconds: 10 } });
    first?.answer?.noteMade(1);
    expect((await ask('eve', 'eve 1', 8)).answer).not.toBeNull();
  });

  it('are cut off where a client reads slowly and others wait, and only then', async () => {
    const [slow, fast, starved] = [await ask('eve', 'slow'), await ask('eve', 'fast'), await ask('eve', 'starved')];
    for (const { answer } of [slow, fast, starved]) answer?.noteMade(25 * MiB);
    await jest.advanceTimersByTimeAsync(60_000);
    fast.bytesSent = 25 * MiB;
    // The service has nothing to send to it.
    starved.isBlocked = false;
    expect(slow.isClosed).toBe(false);
    const waiting = await ask('eve', 'waiting');
    expect(waiting.answer).toBeNull();
    await jest.advanceTimersByTimeAsync(1_000);
    expect([slow.isClosed, fast.isClosed, starved.isClosed]).toEqual([true, false, false]);
    expect(waiting.answer).not.toBeNull();
  });
});
