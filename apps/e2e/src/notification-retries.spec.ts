import type { DeliveryAnswer, NotificationAnswer } from '@assurance/contracts/notifications/answers/notification';
import type { Caller } from './support/caller';
import { startAtTime } from './support/deployments';
import { eventually } from './support/eventually';
import { arrived, deliveries, notification, NOTIFICATIONS, test, webhook } from './support/notifying';
import { type Behave, Receiver } from './support/receiver';
import type { RunningService } from './support/running';
import { fresh } from './support/samples';
import { TestClock } from './support/test-clock';
import { worldOf } from './support/world';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const TRIES = 16;

// The clock stands still unless a test sets it: no retry happens because time passes.
describe('what could not be sent', () => {
  const clock = new TestClock();
  let service: RunningService;
  let member: Caller;
  let receiver: Receiver;
  let probe: () => Promise<void>;
  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await startAtTime(clock, { ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8' });
    member = (await worldOf(service)).as('member');
    const { number } = await notification(member, { targets: [webhook(receiver.url('/probe'))] });
    probe = async () => {
      const sent = receiver.at('/probe').length;
      await test(member, number);
      await arrived(receiver, '/probe', sent + 1);
    };
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    expect(service.faults).toEqual([]);
  }, 90_000);

  /** Makes a notification whose target behaves like this, and waits until a message to it was tried once. */
  async function tryOnce(behave: Behave) {
    const path = `/${fresh('bad')}`;
    receiver.on(path, behave);
    const { number } = await notification(member, { targets: [webhook(receiver.url(path))] });
    await test(member, number);
    return { number, path, first: await attempts(number, 1) };
  }
  const failing: Behave = (response) => response.writeHead(500).end('broken');
  const all = async (number: number): Promise<readonly DeliveryAnswer[]> =>
    (await deliveries(member, number)).deliveries;
  /** Waits for a number of attempts and returns the last one. */
  async function attempts(number: number, count: number): Promise<DeliveryAnswer | undefined> {
    const results = await eventually(
      () => all(number),
      (some) => some.reduce((sum, { attempts_count }) => sum + attempts_count, 0) >= count,
    );
    const newest = (delivery: DeliveryAnswer) => delivery.attempts.at(-1)?.at ?? 0;
    return results.toSorted((a, b) => newest(b) - newest(a))[0];
  }
  /** Integer milliseconds, of epoch seconds. */
  const ms = (seconds: number | null | undefined) => Math.round((seconds ?? NaN) * 1_000);
  /** When it is tried again, after the last try. */
  const waitOf = (delivery: DeliveryAnswer | undefined) =>
    ms(delivery?.next_attempt_at) - ms(delivery?.attempts.at(-1)?.at);
  /** New messages are delivered, and waiting ones are not tried before their time. */
  async function onlyAt(time: number, path: string, number: number): Promise<DeliveryAnswer | undefined> {
    const before = receiver.at(path).length;
    await clock.set(time - 1);
    await probe();
    expect(receiver.at(path).length).toBe(before);
    await clock.set(time);
    await probe();
    return attempts(number, before + 1);
  }

  it('is repeated after twice the time with jitter, up to an hour, and given up after 16 attempts', async () => {
    const { number, path, first } = await tryOnce(failing);
    let newestDelivery = first;
    const parts = new Set<number>();
    for (let tries = 1; tries < TRIES; tries += 1) {
      expect([newestDelivery?.state, newestDelivery?.attempts_count, newestDelivery?.attempts.at(-1)?.detail]).toEqual([
        'pending',
        tries,
        'answered 500: broken',
      ]);
      const longest = Math.min(HOUR, SECOND * 2 ** (tries - 1));
      expect(waitOf(newestDelivery)).toBeGreaterThanOrEqual(longest / 2);
      expect(waitOf(newestDelivery)).toBeLessThanOrEqual(longest);
      parts.add(Math.round((waitOf(newestDelivery) / longest) * 1_000));
      newestDelivery = await onlyAt(ms(newestDelivery?.next_attempt_at), path, number);
    }
    expect(parts.size).toBeGreaterThan(5);
    expect(newestDelivery).toMatchObject({
      state: 'dead',
      reason: 'given up after 16 tries: answered 500: broken',
      attempts_count: TRIES,
      next_attempt_at: null,
    });
    // The state of a target is written after the attempt.
    const { is_failing, targets } = await eventually(
      () => member.get<NotificationAnswer>(`${NOTIFICATIONS}/${number}`),
      (answer) => ms(answer.targets[0]?.last_failure_at) === clock.now,
    );
    expect([is_failing, ms(targets[0]?.last_failure_at), targets[0]?.last_success_at]).toEqual([
      true,
      clock.now,
      undefined,
    ]);
  }, 120_000);

  it('waits as long as the target asks for, in seconds or until a date, like other messages to it', async () => {
    let after = '7200';
    const { number, path, first } = await tryOnce((response) =>
      response.writeHead(429, { 'retry-after': after }).end(),
    );
    expect(waitOf(first)).toBe(2 * HOUR);
    await clock.set(clock.now + HOUR);
    await test(member, number);
    await probe();
    expect(receiver.at(path).length).toBe(1);
    const until = Math.ceil((clock.now + 3 * HOUR) / SECOND) * SECOND;
    after = new Date(until).toUTCString();
    const again = await onlyAt(clock.now + HOUR, path, number);
    expect(ms(again?.next_attempt_at)).toBe(until);
    receiver.on(path, (response) => response.writeHead(200).end());
    await onlyAt(until, path, number);
    await arrived(receiver, path, 4);
    const states = await eventually(
      async () => (await all(number)).map(({ state }) => state),
      (some) => !some.includes('pending'),
    );
    expect(states).toEqual(['delivered', 'delivered']);
  });

  it('is given up a day after it was written, and never waits longer', async () => {
    const { number, path, first } = await tryOnce((response) =>
      response.writeHead(503, { 'retry-after': '9999999' }).end(),
    );
    expect(waitOf(first)).toBe(DAY);
    const again = await onlyAt(ms(first?.next_attempt_at), path, number);
    expect(again).toMatchObject({ state: 'dead', reason: 'given up after 24 hours: answered 503', attempts_count: 2 });
  });
});
