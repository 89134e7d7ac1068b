import { setTimeout as sleep } from 'node:timers/promises';
import { AssignerProtocol, Kafka, logLevel, type PartitionAssigner } from 'kafkajs';
import { makeCommit } from '@assurance/testing/conformance/harness';
import { freshKafka } from '@assurance/testing/engines/kafka';
import { follow } from './follow';
import { openKafka } from './open-kafka';
import { TOPIC } from './topic';

/** A partition assigner that no consumer of the service knows. Kafka permanently refuses consumers that join its group with another one. */
const other: PartitionAssigner = () => ({
  name: 'other',
  version: 1,
  assign: ({ members }) =>
    Promise.resolve(
      members.map(({ memberId }) => ({
        memberId,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({
          version: 1,
          assignment: {},
          userData: Buffer.alloc(0),
        }),
      })),
    ),
  protocol: ({ topics }) => ({
    name: 'other',
    metadata: AssignerProtocol.MemberMetadata.encode({ version: 1, topics, userData: Buffer.alloc(0) }),
  }),
});

it('joins again after what the client takes for hopeless', async () => {
  const { brokers, prefix } = freshKafka();
  const faults: unknown[] = [];
  const kafka = await openKafka({ brokers, prefix, onFault: (fault) => faults.push(fault) });
  const client = new Kafka({ brokers, logLevel: logLevel.NOTHING });
  const rival = client.consumer({ groupId: `${prefix}group`, partitionAssigners: [other] });
  try {
    await rival.connect();
    await rival.subscribe({ topics: [`${prefix}${TOPIC}`] });
    await rival.run({ eachBatch: () => Promise.resolve() });
    const heard: string[] = [];
    const handle = (batch: readonly { readonly id: string }[]) => {
      heard.push(...batch.map(({ id }) => id));
      return Promise.resolve();
    };
    await kafka.feed.consume('group', handle, { maxBatch: 10 });
    while (faults.length === 0) await sleep(20);
    await rival.disconnect();
    const commit = makeCommit();
    await (await kafka.publisher()).publish([commit]);
    while (heard.length === 0) await sleep(20);
    expect(heard).toEqual([commit.id]);
    for (const fault of faults) expect(String(fault)).toMatch(/inconsistent|protocol/i);
  } finally {
    await rival.disconnect();
    await kafka.close();
  }
}, 60_000);

it('leaves no connection behind where it connects and cannot run', async () => {
  const { brokers, prefix } = freshKafka();
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry: { retries: 1 } });
  let open = 0;
  let count = 0;
  const counted = Object.assign(Object.create(kafka) as Kafka, {
    consumer: (config: Parameters<Kafka['consumer']>[0]) => {
      const consumer = kafka.consumer(config);
      consumer.on(consumer.events.CONNECT, () => {
        open += 1;
        count += 1;
      });
      consumer.on(consumer.events.DISCONNECT, () => void (open -= 1));
      return consumer;
    },
  });
  const options = {
    kafka: counted,
    topic: `${prefix}nobody-made-it`,
    groupId: `${prefix}group`,
    maxBatch: 10,
    handle: () => Promise.resolve(),
    onFault: () => undefined,
  };
  for (let i = 0; i < 3; i += 1) await expect(follow(options)).rejects.toThrow();
  expect([count, open]).toEqual([3, 0]);
}, 60_000);
