import { type Admin, type Kafka, Partitioners, type Producer } from 'kafkajs';
import type { Publisher as FeedPublisher } from '@assurance/event-sourcing/relay/change-source';
import { byteLength } from '@assurance/kernel';
import { StoreUnavailable } from '@assurance/storage-ports';
import { messageOf, type TextMessage } from './message';

/** The most bytes of one request. A broker accepts 1 MiB for a partition at once. */
const TOGETHER_BYTES = 900 * 1024;

/** Publishes commits to the feed. */
export interface Publisher extends FeedPublisher {
  close(): Promise<void>;
}

/** Sends messages to one topic. */
export interface Sender {
  /**
   * Sends messages in their order, in as many requests as needed. When it resolves, all in-sync replicas have them.
   *
   * @throws StoreUnavailable
   */
  send(messages: Iterable<TextMessage>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects an idempotent producer. After a failed request it is replaced, because it would give numbers a second time that a broker may have
 * seen: the broker would refuse the next messages for ever, or take them for repetitions and drop them. A new producer numbers anew, so messages
 * of the failed call that were published are published again when the caller repeats it.
 */
export async function openSender(kafka: Kafka, topic: string): Promise<Sender> {
  let current: Promise<Producer> | null = connectProducer(kafka);
  await current;
  const endings = new Set<Promise<void>>();
  const end = (producer: Promise<Producer>) => {
    const ending: Promise<void> = producer
      .then((connected) => connected.disconnect())
      // It could not connect, or its connection is broken.
      .catch(() => undefined)
      .finally(() => endings.delete(ending));
    endings.add(ending);
  };
  return {
    async send(messages) {
      const used = (current ??= connectProducer(kafka));
      try {
        const producer = await used;
        for (const batch of batchMessages(messages)) await producer.send({ topic, acks: -1, messages: batch });
      } catch (cause) {
        if (current === used) {
          current = null;
          end(used);
        }
        throw new StoreUnavailable(`Kafka did not take messages for the topic ${topic}`, { cause });
      }
    },
    async close() {
      if (current !== null) end(current);
      await Promise.all(endings);
    },
  };
}

/** Connects a producer with one request at a time, so that the brokers keep the order of messages that it repeats. */
async function connectProducer(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    idempotent: true,
    maxInFlightRequests: 1,
  });
  try {
    await producer.connect();
  } catch (cause) {
    await producer.disconnect().catch(() => undefined);
    throw cause;
  }
  return producer;
}

export async function openPublisher(kafka: Kafka, admin: Admin, topic: string): Promise<Publisher> {
  const sender = await openSender(kafka, topic);
  return {
    publish: (commits) => sender.send(commits.values().map(messageOf)),
    async messageCount() {
      const partitions = await admin.fetchTopicOffsets(topic);
      return partitions.reduce((sum, { high }) => sum + Number(high), 0);
    },
    close: () => sender.close(),
  };
}

function* batchMessages(messages: Iterable<TextMessage>): Generator<TextMessage[]> {
  let batch: TextMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = byteLength(message.value) + byteLength(message.key) + 200;
    if (batch.length > 0 && bytes + size > TOGETHER_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(message);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
