import { type Admin, Kafka, logLevel } from 'kafkajs';
import type { Engines } from '@assurance/storage-ports';
import { KafkaFeed } from './feed';
import { openPublisher, type Publisher } from './publisher';
import { checkOnlyWaitingRequests } from './request-queue';
import { type KafkaSecurity, securityOptions } from './security';
import { makeTopic, TOPIC } from './topic';
import { whyUnavailable } from './why';

export type { Publisher } from './publisher';
export type { KafkaSecurity } from './security';

export interface KafkaOptions {
  /** `host:port` of one or more brokers. */
  readonly brokers: readonly string[];
  /** Put before the names of topic and groups: two installations can share a Kafka. */
  readonly prefix: string;
  /** Left out: neither TLS nor SASL. */
  readonly security?: KafkaSecurity;
  /** Told of faults that no caller waits for. */
  readonly onFault: (error: unknown) => void;
}

export interface OpenedKafka extends Pick<Engines, 'feed' | 'problems' | 'close'> {
  /** Connects a producer, for whoever has to publish. */
  publisher(): Promise<Publisher>;
}

/**
 * Opens the feed on Kafka, makes its topic where it is not there, and checks how the topic is set up.
 *
 * @throws StoreUnavailable when no broker answers
 * @throws StoreMisconfigured when the brokers refuse what the settings say, or the topic cannot be used as it is
 */
export async function openKafka({ brokers, prefix, security, onFault }: KafkaOptions): Promise<OpenedKafka> {
  checkOnlyWaitingRequests();
  const kafka = new Kafka({
    clientId: 'assurance',
    brokers: [...brokers],
    ...(security === undefined ? {} : securityOptions(security)),
    // What matters reaches `onFault`, or whoever asked.
    logLevel: logLevel.NOTHING,
    connectionTimeout: 3_000,
    retry: { initialRetryTime: 100, retries: 8, maxRetryTime: 5_000 },
  });
  const admin = kafka.admin();
  const topic = `${prefix}${TOPIC}`;
  try {
    await admin.connect();
    for (const sentence of await makeTopic(admin, topic)) onFault(new Error(sentence));
  } catch (cause) {
    await admin.disconnect();
    throw whyUnavailable(cause);
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
