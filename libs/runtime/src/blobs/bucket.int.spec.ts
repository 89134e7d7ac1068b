import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sha256 } from '@assurance/kernel';
import { blobsSuite } from '@assurance/testing/conformance/blobs';
import { freshKafka } from '@assurance/testing/engines/kafka';
import { localServer } from '@assurance/testing/engines/local-server';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import type { RunningServer } from '@assurance/testing/engines/running';
import { readConfig } from '../config';
import { openEngines } from '../engines';

/** The server is built once from its sources. */
const START_MS = 300_000;

let server: RunningServer;
beforeAll(async () => {
  server = await localServer('s3');
}, START_MS);
afterAll(() => server.stop());

/** Opens the scaled engines with a bucket, as services do. */
async function openWith(settings: Readonly<Record<string, string>>, now: () => number = Date.now) {
  const { brokers, prefix } = freshKafka();
  const env = {
    KAFKA_BROKERS: brokers.join(','),
    ASSURANCE_KAFKA_PREFIX: prefix,
    ASSURANCE_SECRET: randomBytes(32).toString('hex'),
    ...server.settings,
    ...settings,
  };
  const config = readConfig(env, (path) => readFileSync(path, 'utf8'));
  if (!config.ok) throw new Error(config.refusal);
  const steady = () => performance.now();
  const sources = { now, steady, random: randomBytes, onFault: () => undefined, relays: false };
  const opened = await openEngines(config.value.config, sources);
  if (!opened.ok) throw new Error(opened.refusal);
  const { engines } = opened.value;
  return { engines, close: () => engines.close() };
}

function place(): Readonly<Record<string, string>> {
  const { url, database } = freshMongodb();
  const parsedUrl = new URL(url);
  parsedUrl.pathname = `/${database}`;
  return { MONGODB_URL: parsedUrl.href, ASSURANCE_BLOBS_PREFIX: randomUUID() };
}

const open = (now: () => number) => openWith(place(), now);

blobsSuite(open);

it('takes blobs of GridFS to the bucket, and back', async () => {
  const here = place();
  const content = randomBytes(700_000);
  async function* once() {
    yield content;
  }
  for (const store of ['own', 's3', 'own']) {
    const { engines, close } = await openWith({ ...here, ASSURANCE_BLOBS_STORE: store });
    const { blobs } = engines;
    if ((await blobs.stat('org', sha256(content))) === null) await blobs.put('org', once(), 1_000_000);
    const { next } = await blobs.move!('org', { after: null, limit: 10, before: Date.now() + 1 });
    expect(next).toBeNull();
    const parts: Uint8Array[] = [];
    for await (const part of (await blobs.open('org', sha256(content))) ?? []) parts.push(part);
    expect(Buffer.concat(parts).equals(content)).toBe(true);
    await close();
  }
});
