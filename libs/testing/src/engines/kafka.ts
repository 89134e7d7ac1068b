import { randomUUID } from 'node:crypto';

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
