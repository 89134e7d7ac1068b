import { randomBytes } from 'node:crypto';
import { freshKafka } from '@assurance/testing/engines/kafka';
import { freshMongodb } from '@assurance/testing/engines/mongodb';

/** Settings for the MongoDB and the Kafka of this run, with unused names. */
export function servers(): Record<string, string> {
  const { url, database } = freshMongodb();
  const { brokers, prefix, settings } = freshKafka();
  const mongodb = new URL(url);
  mongodb.pathname = `/${database}`;
  return {
    ...settings,
    MONGODB_URL: mongodb.href,
    KAFKA_BROKERS: brokers.join(','),
    ASSURANCE_KAFKA_PREFIX: `${prefix}.`,
    ASSURANCE_SECRET: randomBytes(32).toString('hex'),
  };
}
