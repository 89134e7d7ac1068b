import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';

interface FreshKafka {
  readonly brokers: string[];
  readonly prefix: string;
  /** Environment variables that a service needs besides the brokers. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The variable that names the brokers: given from outside, or set for the specs by the setup of Jest's project `engines`. */
export const KAFKA_BROKERS = 'ASSURANCE_TEST_KAFKA_BROKERS';

/** The variable that holds the settings of a service for these brokers, as JSON. */
export const KAFKA_SETTINGS = 'ASSURANCE_TEST_KAFKA_SETTINGS';

/**
 * The shared Kafka of this test run and a new prefix for names of topics and groups.
 *
 * @throws when no broker was started: only `npm run test:engines` starts it
 */
export function freshKafka(): FreshKafka {
  const brokers = process.env[KAFKA_BROKERS];
  if (brokers === undefined || brokers === '') {
    throw new Error('no Kafka was started: run this with npm run test:engines');
  }
  const settings = JSON.parse(process.env[KAFKA_SETTINGS] || '{}') as FreshKafka['settings'];
  return { brokers: brokers.split(','), prefix: `test-${randomUUID()}`, settings };
}

/** Makes a topic with so many partitions where it is not there, else adds partitions to it, as an operator does with `--alter`. */
export async function setPartitions(brokers: readonly string[], topic: string, count: number): Promise<void> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    if ((await admin.listTopics()).includes(topic))
      await admin.createPartitions({ topicPartitions: [{ topic, count }] });
    else {
      const configEntries = ['retention.ms', 'retention.bytes'].map((name) => ({ name, value: '-1' }));
      await admin.createTopics({ topics: [{ topic, numPartitions: count, replicationFactor: 1, configEntries }] });
    }
  } finally {
    await admin.disconnect();
  }
}
