import { type Admin, type Kafka, Partitioners } from 'kafkajs';
import { byteLength } from '@assurance/kernel';
import { type Commit, StoreUnavailable } from '@assurance/storage-ports';
import { messageOf } from './message';

/** Bytes of one request: a broker accepts 1 MiB for a partition at once. */
const TOGETHER_BYTES = 900 * 1024;

/** Puts commits on the feed. */
export interface Publisher {
  /**
   * Publishes commits, each stream in the order given. All in-sync replicas have them when it resolves. A call that fails may have published
   * some: repeating it is safe, for the feed promises no "only once".
   *
   * @throws StoreUnavailable
   */
  publish(commits: readonly Commit[]): Promise<void>;
  /** How many messages the topic was ever given. */
  given(): Promise<number>;
  close(): Promise<void>;
}

/** Connects a producer: idempotent, one request under way, so that the brokers keep the order of what is sent again. */
export async function openPublisher(kafka: Kafka, admin: Admin, topic: string): Promise<Publisher> {
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    idempotent: true,
    maxInFlightRequests: 1,
  });
  await producer.connect();
  return {
    async publish(commits) {
      try {
        for (const messages of together(commits)) await producer.send({ topic, acks: -1, messages });
      } catch (cause) {
        throw new StoreUnavailable('Kafka did not take what was committed', { cause });
      }
    },
    async given() {
      const partitions = await admin.fetchTopicOffsets(topic);
      return partitions.reduce((sum, { high }) => sum + Number(high), 0);
    },
    close: () => producer.disconnect(),
  };
}

function* together(commits: readonly Commit[]): Generator<ReturnType<typeof messageOf>[]> {
  let some: ReturnType<typeof messageOf>[] = [];
  let bytes = 0;
  for (const commit of commits) {
    const message = messageOf(commit);
    const size = byteLength(message.value) + byteLength(commit.stream) + 200;
    if (some.length > 0 && bytes + size > TOGETHER_BYTES) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(message);
    bytes += size;
  }
  if (some.length > 0) yield some;
}
