import { Kafka, logLevel } from 'kafkajs';
import { container } from './container';
import { KAFKA_BROKERS } from './kafka';
import { localServer } from './local-server';
import type { RunningServer } from './running';

/**
 * Kafka for tests: the brokers that `ASSURANCE_TEST_KAFKA_BROKERS` names, else a container where a container engine answers, else a process of our own.
 *
 * @param secured a process that requires TLS and a user, unless a server is named
 * @throws when there is none: a test that needs an engine never passes without it
 */
export async function startKafka(secured: boolean): Promise<RunningServer> {
  const input = process.env[KAFKA_BROKERS];
  if (input === undefined || input === '') {
    return secured ? localServer('kafka-secured') : ((await container('kafka')) ?? localServer('kafka'));
  }
  const admin = new Kafka({ brokers: input.split(','), logLevel: logLevel.NOTHING }).admin();
  try {
    await admin.connect();
    await admin.describeCluster();
  } catch (cause) {
    throw new Error(`${KAFKA_BROKERS} names brokers that do not answer`, { cause });
  } finally {
    await admin.disconnect();
  }
  return { url: input, settings: {}, stop: () => Promise.resolve() };
}
