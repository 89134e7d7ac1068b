import { randomUUID } from 'node:crypto';

/** The variable that names the server: given from outside, or set for the specs by the setup of Jest's project `engines`. */
export const MONGODB_URL = 'ASSURANCE_TEST_MONGODB_URL';

/**
 * The shared MongoDB server of this test run and the name of a new database.
 *
 * @throws when no server was started: only `npm run test:engines` starts it
 */
export function freshMongodb(): { readonly url: string; readonly database: string } {
  const url = process.env[MONGODB_URL];
  if (url === undefined || url === '') throw new Error('no MongoDB was started: run this with npm run test:engines');
  return { url, database: `test_${randomUUID().replaceAll('-', '')}` };
}
