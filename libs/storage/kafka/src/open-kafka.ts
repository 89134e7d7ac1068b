import { type Admin, Kafka, logLevel } from 'kafkajs';
import { type Engines, StoreUnavailable } from '@assurance/storage-ports';
import { KafkaFeed } from './feed';
import { openPublisher, type Publisher } from './publisher';
import { makeTopic, TOPIC } from './topic';

export type { Publisher } from './publisher';

export interface KafkaOptions {
  /** `host:port` of one or more brokers. */
  readonly brokers: readonly string[];
  /** Put before the names of topic and groups: two installations can share a Kafka. */
  readonly prefix: string;
  /** Told of faults that no caller waits for. */
  readonly onFault: (error: unknown) => void;
}

export interface OpenedKafka extends Pick<Engines, 'feed' | 'problems' | 'close'> {
  /** Connects a producer, for whoever has to publish. */
  publisher(): Promise<Publisher>;
}

/**
 * Opens the feed on Kafka, and makes its topic where it is not there.
 *
 * @throws StoreUnavailable when no broker answers
 */
export async function openKafka({ brokers, prefix, onFault }: KafkaOptions): Promise<OpenedKafka> {
  const kafka = new Kafka({
    clientId: 'assurance',
    brokers: [...brokers],
    // What matters reaches `onFault`, or whoever asked.
    logLevel: logLevel.NOTHING,
    connectionTimeout: 3_000,
    retry: { initialRetryTime: 100, retries: 8, maxRetryTime: 5_000 },
  });
  const admin = kafka.admin();
  const topic = `${prefix}${TOPIC}`;
  try {
    await admin.connect();
    await makeTopic(admin, topic);
  } catch (cause) {
    await admin.disconnect();
    throw new StoreUnavailable('Kafka does not answer', { cause });
  }
  const feed = new KafkaFeed({ kafka, admin, topic, prefix, onFault });
  const publishers = new Set<Publisher>();
  return {
    feed,
    async publisher() {
      const publisher = await openPublisher(kafka, admin, topic);
      publishers.add(publisher);
      return publisher;
    },
    problems: () => problemsOf(admin),
    async close() {
      await feed.close();
      await Promise.all([...publishers].map((publisher) => publisher.close()));
      await admin.disconnect();
    },
  };
}

async function problemsOf(admin: Admin): Promise<string[]> {
  try {
    await admin.describeCluster();
    return [];
  } catch {
    return ['Kafka does not answer'];
  }
}
