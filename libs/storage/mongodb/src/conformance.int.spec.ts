import { randomBytes } from 'node:crypto';
import { blobsSuite, documentsSuite, eventStoreSuite } from '@assurance/testing-suites';
import { freshMongodb } from '@assurance/testing-engines';
import { openMongo } from './open-mongo';

async function open(now: () => number = Date.now) {
  const engines = await openMongo({
    ...freshMongodb(),
    now,
    steady: () => performance.now(),
    random: randomBytes,
  });
  return { engines, close: () => engines.close() };
}

eventStoreSuite(open);
documentsSuite(open);
blobsSuite(open);
