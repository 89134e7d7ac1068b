import { randomUUID } from 'node:crypto';

/** The variable that names the brokers: given from outside, or set for the specs by the setup of Jest's project `engines`. */
export const KAFKA_BROKERS = 'ASSURANCE_TEST_KAFKA_BROKERS';

/**
 * The shared Kafka of this test run and a prefix for names (topics, groups) that nobody used before.
 *
 * @throws when no broker was started: only `npm run test:engines` starts it
 */
export function freshKafka(): { readonly brokers: string[]; readonly prefix: string } {
  const brokers = process.env[KAFKA_BROKERS];
  if (brokers === undefined || brokers === '') {
    throw new Error('no Kafka was started: run this with npm run test:engines');
  }
  return { brokers: brokers.split(','), prefix: `test-${randomUUID()}` };
}
