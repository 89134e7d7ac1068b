import { MongoClient } from 'mongodb';
import { container } from './container';
import { localServer } from './local-server';
import { MONGODB_URL } from './mongodb';
import type { RunningServer } from './running';

/**
 * A MongoDB replica set for tests: the one that `ASSURANCE_TEST_MONGODB_URL` names, else a container where a container engine answers, else a process of our own.
 *
 * @param secured a process that requires TLS and a user, unless a server is named
 * @throws when there is none: a test that needs an engine never passes without it
 */
export async function startMongo(secured: boolean): Promise<RunningServer> {
  const input = process.env[MONGODB_URL];
  if (input !== undefined && input !== '') {
    await answers(input);
    return { url: input, settings: {}, stop: () => Promise.resolve() };
  }
  return secured ? localServer('mongodb-secured') : ((await container('mongodb')) ?? localServer('mongodb'));
}

async function answers(url: string): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 10_000 });
  try {
    await client.db('admin').command({ ping: 1 });
  } catch (cause) {
    throw new Error(`${MONGODB_URL} names a server that does not answer`, { cause });
  } finally {
    await client.close();
  }
}
