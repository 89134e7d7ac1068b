import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Admin, ConfigResourceTypes, Kafka, logLevel, Partitioners } from 'kafkajs';
import { StoreUnavailable } from '@assurance/storage-ports';
import { makeCommit, makeEvent, nextCommit } from '@assurance/testing/conformance/harness';
import { freshKafka } from '@assurance/testing/engines/kafka';
import { localServer } from '@assurance/testing/engines/local-server';
import { type OpenedKafka, openKafka } from './open-kafka';
import { TOPIC } from './topic';

const START_MS = 180_000;
/** The most bytes that the topic accepts at once in these tests. */
const ACCEPTED_BYTES = 10_000;

describe('a publisher of which a request failed', () => {
  let kafka: OpenedKafka;
  let admin: Admin;
  beforeEach(async () => {
    const { brokers, prefix } = freshKafka();
    kafka = await openKafka({ brokers, prefix, onFault: () => undefined });
    admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const configEntries = [{ name: 'max.message.bytes', value: String(ACCEPTED_BYTES) }];
    const resources = [{ type: ConfigResourceTypes.TOPIC, name: `${prefix}${TOPIC}`, configEntries }];
    await admin.alterConfigs({ validateOnly: false, resources });
  });
  afterEach(async () => {
    await admin.disconnect();
    await kafka.close();
  });

  /** Publishes a commit whose partition accepts it, with one in another partition, which refuses it. The call fails as a whole. */
  async function publishHalf() {
    const publisher = await kafka.publisher();
    const first = makeCommit();
    const large = inOtherPartition(first.stream, { events: [makeEvent('x'.repeat(2 * ACCEPTED_BYTES))] });
    await expect(publisher.publish([first, large])).rejects.toThrow(StoreUnavailable);
    expect(await publisher.messageCount()).toBe(1);
    return { publisher, first };
  }

  it('loses no other commit that is published next', async () => {
    const { publisher, first } = await publishHalf();
    // By its number alone, the broker could take it for a repetition of the first one.
    await publisher.publish([nextCommit(first)]);
    expect(await publisher.messageCount()).toBe(2);
  });

  it('accepts the same commit together with later ones', async () => {
    const { publisher, first } = await publishHalf();
    const second = nextCommit(first);
    await publisher.publish([first, second, nextCommit(second)]);
    expect(await publisher.messageCount()).toBe(4);
  });
});

it(
  'a publisher goes on with brokers that have lost what it published last, and that do not expect its next number',
  async () => {
    const server = await localServer('kafka');
    const kafka = await openKafka({ brokers: [server.url], prefix: '', onFault: () => undefined });
    try {
      const publisher = await kafka.publisher();
      const first = makeCommit();
      const second = nextCommit(first);
      const third = nextCommit(second);
      await publisher.publish([first]);
      const copy = join(server.folder, 'copy');
      const data = join(server.folder, 'data');
      const partitions = readdirSync(data).filter((name) => name.startsWith(TOPIC));
      for (const name of partitions) cpSync(join(data, name), join(copy, name), { recursive: true });
      await publisher.publish([second]);
      await server.kill();
      for (const name of partitions) {
        rmSync(join(data, name), { recursive: true });
        cpSync(join(copy, name), join(data, name), { recursive: true });
      }
      await server.start();
      const failed = await publisher.publish([third]).catch((fault: unknown) => fault);
      expect((failed as StoreUnavailable).cause).toMatchObject({ type: 'OUT_OF_ORDER_SEQUENCE_NUMBER' });
      await publisher.publish([second, third]);
      const heard: string[] = [];
      const handle = (batch: readonly { readonly id: string }[]) => {
        heard.push(...batch.map(({ id }) => id));
        return Promise.resolve();
      };
      const consumer = await kafka.feed.consume('listener', handle, { maxBatch: 10 });
      while ((await consumer.lag()) > 0);
      expect(heard).toEqual([first, second, third].map(({ id }) => id));
    } finally {
      await kafka.close();
      await server.stop();
    }
  },
  START_MS,
);

/** A commit of a stream that lies in another partition than this one. */
function inOtherPartition(stream: string, input: Parameters<typeof makeCommit>[0]) {
  const partitionMetadata = Array.from({ length: 12 }, (_, partitionId) => ({
    partitionErrorCode: 0,
    partitionId,
    leader: 1,
    replicas: [1],
    isr: [1],
  }));
  const choose = Partitioners.DefaultPartitioner();
  const partitionOf = (key: string) => choose({ topic: TOPIC, partitionMetadata, message: { key, value: '' } });
  for (;;) {
    const commit = makeCommit(input);
    if (partitionOf(commit.stream) !== partitionOf(stream)) return commit;
  }
}
