import { Kafka, logLevel } from 'kafkajs';
import { type Commit, type Engines, type PublicEvents, StoreMisconfigured } from '@assurance/storage-ports';
import { cloudEventMessage } from './cloud-event';
import { KafkaFeed } from './feed';
import { newestOf } from './newest-commits';
import { openPublisher, openSender, type Publisher } from './publisher';
import { checkOnlyWaitingRequests } from './request-queue';
import { type KafkaSecurity, securityOptions } from './security';
import { haveTopic, makeTopic, TOPIC } from './topic';
import { whyUnavailable } from './unavailable-reason';

export type { Publisher } from './publisher';
export type { KafkaSecurity } from './security';

export interface KafkaOptions {
  /** `host:port` of one or more brokers. */
  readonly brokers: readonly string[];
  /** The prefix of the names of topic and groups. With different prefixes, two installations can share a Kafka. */
  readonly prefix: string;
  /** Left out: neither TLS nor SASL. */
  readonly security?: KafkaSecurity;
  /** Is called with faults that no caller waits for. */
  readonly onFault: (error: unknown) => void;
}

export interface OpenedKafka extends Pick<Engines, 'feed' | 'close'> {
  /** The current state of the topic of commits. `messages` counts all messages that it has ever received. */
  layout(): Promise<{ readonly topic: string; readonly partitions: number; readonly messages: number }>;
  /**
   * Resolves when a broker has answered. That may take long, because it is asked again until it does.
   *
   * @throws StoreUnavailable
   */
  reach(): Promise<void>;
  /** The newest commit of each partition of the topic that has one. */
  newest(): Promise<Commit[]>;
  /** Connects a producer, for processes that publish. */
  publisher(): Promise<Publisher>;
  /**
   * Connects a producer of public events, and creates their topic if it does not exist.
   *
   * @throws StoreUnavailable when no broker answers
   * @throws StoreMisconfigured if the topic does not exist and may not be created, or if it is the topic of the feed
   */
  publicEvents(topic: string): Promise<PublicEvents>;
}

/**
 * Opens the feed on Kafka, creates its topic if it does not exist, and checks the configuration of the topic.
 *
 * @throws StoreUnavailable when no broker answers
 * @throws StoreMisconfigured if the brokers refuse the settings, or the topic cannot be used with its configuration
 */
export async function openKafka({ brokers, prefix, security, onFault }: KafkaOptions): Promise<OpenedKafka> {
  checkOnlyWaitingRequests();
  const kafka = new Kafka({
    clientId: 'assurance',
    brokers: [...brokers],
    ...(security === undefined ? {} : securityOptions(security)),
    // Important errors reach `onFault` or the caller.
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
  const senders = new Set<{ close(): Promise<void> }>();
  return {
    feed,
    async layout() {
      try {
        const offsets = await admin.fetchTopicOffsets(topic);
        const messages = offsets.reduce((sum, { high }) => sum + Number(high), 0);
        // Offsets come for the partitions that the client has known for up to five minutes.
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
        return { topic, partitions: topics[0]?.partitions.length ?? 0, messages };
      } catch (cause) {
        throw whyUnavailable(cause);
      }
    },
    async reach() {
      await admin.describeCluster().catch((cause: unknown) => {
        throw whyUnavailable(cause);
      });
    },
    newest: () =>
      newestOf(kafka, admin, topic).catch((cause: unknown) => {
        throw whyUnavailable(cause);
      }),
    async publisher() {
      const publisher = await openPublisher(kafka, admin, topic);
      senders.add(publisher);
      return publisher;
    },
    async publicEvents(eventsTopic) {
      if (eventsTopic === topic) {
        throw new StoreMisconfigured(
          `The topic ${topic} carries the records of the service: choose another for events.`,
        );
      }
      try {
        await haveTopic(admin, eventsTopic);
        const sender = await openSender(kafka, eventsTopic);
        senders.add(sender);
        return { publish: (events) => sender.send(events.values().map(cloudEventMessage)) };
      } catch (cause) {
        throw whyUnavailable(cause);
      }
    },
    async close() {
      await feed.close();
      await Promise.all([...senders].map((sender) => sender.close()));
      await admin.disconnect();
    },
  };
}
