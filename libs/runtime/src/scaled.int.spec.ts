import { randomBytes, randomUUID } from 'node:crypto';
import { blobsSuite, documentsSuite, eventStoreSuite, feedSuite } from '@assurance/testing-suites';
import { freshKafka, freshMongodb } from '@assurance/testing-engines';
import { openScaled } from './scaled';

/** MongoDB and Kafka with the relay between them, as the services run on them. */
async function open(now: () => number = Date.now) {
  const { url: mongodbUrl, database } = freshMongodb();
  const { brokers: kafkaBrokers, prefix } = freshKafka();
  const surroundings = {
    now,
    steady: () => performance.now(),
    random: randomBytes,
    onFault: () => undefined,
  };
  const engines = await openScaled({ mongodbUrl, database, kafkaBrokers, prefix, ...surroundings });
  await engines.relay(randomUUID());
  return { engines, close: () => engines.close() };
}

feedSuite(open);
eventStoreSuite(open);
documentsSuite(open);
blobsSuite(open);
