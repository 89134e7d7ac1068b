import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { appendAll, makeStream } from '@assurance/testing/conformance/harness';
import { freshKafka, setPartitions } from '@assurance/testing/engines/kafka';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { openScaled } from './scaled';

const TOPIC = 'assurance.events.v1';
const STREAMS = 40;
const LIMIT_MS = 120_000;

/** Opens one MongoDB, and Kafka under any prefix, as a service does. */
function installation() {
  const { url: mongodbUrl, database } = freshMongodb();
  const { brokers: kafkaBrokers } = freshKafka();
  const faults: unknown[] = [];
  const time = { passedMs: 0 };
  const steady = () => performance.now() + time.passedMs;
  const sources = { now: Date.now, steady, random: randomBytes, onFault: (fault: unknown) => faults.push(fault) };
  const servers = { mongodbUrl, database, kafkaBrokers, kafkaSecurity: { tls: null, sasl: null } };
  const opened: Engines[] = [];
  const open = async (kafkaPrefix: string) => {
    const engines = await openScaled({ ...servers, kafkaPrefix }, sources);
    opened.push(engines);
    return engines;
  };
  return {
    brokers: kafkaBrokers,
    open,
    faults,
    time,
    close: () => Promise.all(opened.map((engine) => engine.close())),
  };
}

type Engines = Awaited<ReturnType<typeof openScaled>>;

/** Publishes until a new group has received this many commits. Returns their sequence numbers by stream, in order of arrival. */
async function publishAndReceive(engines: Engines, commits: number): Promise<ReadonlyMap<string, readonly number[]>> {
  const came = new Map<string, number[]>();
  let rest = commits;
  const relay = await engines.relay(randomUUID());
  const consumer = await new Promise<{ stop(): Promise<void> }>((complete, failed) => {
    let following: Promise<{ stop(): Promise<void> }> | null = null;
    const handle = (batch: readonly { readonly stream: string; readonly seq: number }[]) => {
      for (const { stream, seq } of batch) {
        const before = came.get(stream) ?? [];
        if (before.includes(seq)) continue;
        came.set(stream, [...before, seq]);
        rest -= 1;
      }
      if (rest === 0) setImmediate(() => void following?.then(complete, failed));
      return Promise.resolve();
    };
    following = engines.feed.consume('listener', handle, { maxBatch: 100 });
    following.catch(failed);
  });
  await consumer.stop();
  await relay.stop();
  return came;
}

/** Appends two commits to each of many streams. */
async function append({ events }: Engines): Promise<void> {
  for (let i = 0; i < STREAMS; i += 1) await appendAll(events, makeStream([{}, {}]));
}

describe('the partitions of the topic of commits', () => {
  const { brokers, open, close } = installation();
  const running = installation();
  afterAll(() => Promise.all([close(), running.close()]));
  const [old, grown, altered] = [`test-${randomUUID()}`, `test-${randomUUID()}`, `test-${randomUUID()}`];

  it(
    'stop the start once their number was altered',
    async () => {
      const engines = await open(old);
      await append(engines);
      expect((await publishAndReceive(engines, 2 * STREAMS)).size).toBe(STREAMS);
      // With unchanged partitions, the engines open.
      await open(old);
      await setPartitions(brokers, `${old}${TOPIC}`, 24);
      await expect(open(old)).rejects.toThrow(
        `Topic ${old}${TOPIC} has 24 partitions, and had 12 when it took its first commits.`,
      );
    },
    LIMIT_MS,
  );

  it(
    'stop a relay that runs, before it publishes into them',
    async () => {
      const { faults, time } = running;
      const engines = await running.open(altered);
      await append(engines);
      const relay = await engines.relay(randomUUID());
      while ((await engines.kafka.layout()).messages < 2 * STREAMS) await sleep(50);
      const { messages } = await engines.kafka.layout();
      await setPartitions(brokers, `${altered}${TOPIC}`, 24);
      time.passedMs += 10_000;
      await append(engines);
      const isAltered = (fault: unknown) => String(fault).includes(`${altered}${TOPIC} has 24 partitions, and had 12`);
      while (!faults.some(isAltered)) await sleep(50);
      expect((await engines.kafka.layout()).messages).toBe(messages);
      await relay.stop();
    },
    LIMIT_MS,
  );

  it(
    'grow with a topic of another prefix, which is filled from the store',
    async () => {
      await setPartitions(brokers, `${grown}${TOPIC}`, 24);
      const came = await publishAndReceive(await open(grown), 2 * STREAMS);
      expect([...came.values()]).toEqual(Array.from({ length: STREAMS }, () => [1, 2]));
      await open(grown);
    },
    LIMIT_MS,
  );
});
