import { randomBytes, randomUUID } from 'node:crypto';
import { feedSuite } from '@assurance/testing/conformance/feed';
import { freshKafka } from '@assurance/testing/engines/kafka';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { openScaled } from './scaled';

/** Opens MongoDB and Kafka with the relay between them, as services do. */
async function open(now: () => number = Date.now) {
  const { url: mongodbUrl, database } = freshMongodb();
  const { brokers: kafkaBrokers, prefix: kafkaPrefix } = freshKafka();
  const surroundings = {
    now,
    steady: () => performance.now(),
    random: randomBytes,
    onFault: () => undefined,
  };
  const servers = { mongodbUrl, database, kafkaBrokers, kafkaPrefix, kafkaSecurity: { tls: null, sasl: null } };
  const engines = await openScaled(servers, surroundings);
  await engines.relay(randomUUID());
  return { engines, close: () => engines.close() };
}

// The tests of the MongoDB project run the suites of event store, documents and blobs.
feedSuite(open);
