import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeSource, Publisher } from '@assurance/event-sourcing/relay/change-source';
import { Relay } from '@assurance/event-sourcing/relay/relay';
import { type OpenedKafka, openKafka } from '@assurance/storage/kafka';
import { openMongo } from '@assurance/storage/mongodb';
import { makeCommit } from '@assurance/testing/conformance/harness';
import { freshKafka } from '@assurance/testing/engines/kafka';
import { freshMongodb } from '@assurance/testing/engines/mongodb';

const surroundings = { now: Date.now, steady: () => performance.now(), random: randomBytes };

/** Opens a new MongoDB database and Kafka topic, with relays between them as several processes would run them. */
async function open() {
  const faults: unknown[] = [];
  const onFault = (fault: unknown) => void faults.push(fault);
  const mongo = await openMongo({ ...freshMongodb(), ...surroundings });
  let kafka = await openKafka({ ...freshKafka(), onFault });
  const relays: Relay[] = [];
  const heard = new Map<string, number>();
  const listen = async ({ feed }: OpenedKafka) => {
    await feed.consume(
      'listener',
      (batch) => {
        for (const { id } of batch) heard.set(id, (heard.get(id) ?? 0) + 1);
        return Promise.resolve();
      },
      { maxBatch: 100 },
    );
  };
  await listen(kafka);
  return {
    faults,
    /** How often each commit was received. */
    heard,
    async append(count: number) {
      for (let i = 0; i < count; i += 1) await mongo.events.append(makeCommit());
    },
    /** Starts a relay as another process would. */
    async relay(change: { readonly carrier?: (real: Publisher) => Publisher; readonly source?: ChangeSource } = {}) {
      const publisher = await kafka.publisher();
      const relay = new Relay({
        source: change.source ?? mongo.changes,
        publisher: change.carrier?.(publisher) ?? publisher,
        documents: mongo.documents,
        id: `relay-${relays.length}`,
        elapsed: surroundings.steady,
        sleep: (ms) => sleep(ms),
        onFault,
      });
      relays.push(relay);
      return relay;
    },
    changes: mongo.changes,
    given: async () => (await kafka.publisher()).messageCount(),
    /** Switches to another, empty topic. */
    async remake() {
      await kafka.close();
      heard.clear();
      kafka = await openKafka({ ...freshKafka(), onFault });
      await listen(kafka);
    },
    async close() {
      await Promise.all(relays.map((relay) => relay.stop()));
      await kafka.close();
      await mongo.close();
    },
  };
}

async function until(there: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await there())) await sleep(20);
}

describe('a relay', () => {
  let place: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => (place = await open()));
  afterEach(() => place.close());
  const all = (count: number) => until(() => place.heard.size === count);

  it('is taken over within seconds when its holder stops with a batch in progress, and stands by when the holder continues', async () => {
    let wake: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    const first = await place.relay({
      carrier: (real) => ({
        messageCount: () => real.messageCount(),
        publish: (commits) => asleep.then(() => real.publish(commits)),
      }),
    });
    await until(() => first.status().active);
    await place.append(30);
    const begun = performance.now();
    const second = await place.relay();
    await all(30);
    expect(performance.now() - begun).toBeGreaterThan(3_000);
    expect([second.status().active, second.status().lag]).toEqual([true, expect.any(Number)]);
    wake();
    await until(() => !first.status().active);
    expect(first.status().lag).toBeNull();
    await place.append(5);
    await all(35);
    expect(place.faults).toEqual([]);
  }, 60_000);

  /** Waits until a relay publishes new commits. It may have sent commits twice that came while it started. */
  const following = async () => {
    const before = place.heard.size;
    await place.append(1);
    await all(before + 1);
    await place.append(1);
    await all(before + 2);
  };

  it('hands over at once when it is stopped, and nothing is sent twice', async () => {
    const first = await place.relay();
    await following();
    place.heard.clear();
    await place.append(20);
    const second = await place.relay();
    await first.stop();
    await place.append(20);
    await all(40);
    expect(second.status().active).toBe(true);
    expect([...new Set(place.heard.values())]).toEqual([1]);
  }, 60_000);

  it('sends everything again to a topic that was recreated, once', async () => {
    const first = await place.relay();
    await place.append(30);
    await all(30);
    await first.stop();
    await place.remake();
    const second = await place.relay();
    await all(30);
    await following();
    await second.stop();
    const delivered = await place.given();
    const third = await place.relay();
    await place.append(1);
    await all(33);
    // Kafka hands a message to its readers before it tells the relay.
    await until(() => third.status().published > 0);
    expect([third.status().published, await place.given()]).toEqual([1, delivered + 1]);
  }, 60_000);

  it('finds its way back when the store has forgotten where it was', async () => {
    const first = await place.relay();
    await place.append(20);
    await all(20);
    await first.stop();
    await place.append(20);
    const source: ChangeSource = {
      since: (at) => place.changes.since(at),
      // A token begins with its time. MongoDB's log of operations never reaches back to 1970.
      follow: (after) => place.changes.follow(after && after.replace(/"_data":"82[0-9A-F]{8}/, '"_data":"8200000001')),
    };
    await place.relay({ source });
    await all(40);
    await place.append(1);
    await all(41);
  }, 60_000);
});
