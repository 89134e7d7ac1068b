import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { MongoClient, ObjectId } from 'mongodb';
import { freshMongodb } from '@assurance/testing-engines';
import { openMongo } from './open-mongo';

const NOW = 1_700_000_000_000;
const DAY = 24 * 3_600_000;

it('removes what puts left that broke off long ago, by pieces, and nothing that a record names', async () => {
  const { url, database } = freshMongodb();
  let now = NOW;
  const engines = await openMongo({
    ...{ url, database, now: () => now },
    steady: () => performance.now(),
    random: randomBytes,
  });
  const client = new MongoClient(url, { runtimeAdapters: { os } });
  const chunks = client.db(database).collection<{ files_id: ObjectId; n: number; data: Buffer }>('blobs.chunks');
  const fileAt = (ms: number) => new ObjectId(`${(ms / 1_000).toString(16)}${randomBytes(8).toString('hex')}`);
  const leave = async (file: ObjectId) => {
    for (const n of [0, 1]) await chunks.insertOne({ files_id: file, n, data: Buffer.from('left behind') });
  };
  async function* content() {
    yield Buffer.from('named');
  }
  try {
    const named = await engines.blobs.put('org', content(), 100);
    const [old, older, young] = [fileAt(NOW), fileAt(NOW - DAY), fileAt(NOW + 2 * DAY)];
    for (const file of [old, older, young]) await leave(file);
    now += 2 * DAY;
    let after: string | null = null;
    let looks = 0;
    do {
      after = await engines.blobs.sweepBroken({ after, limit: 2, before: now - DAY });
      looks += 1;
    } while (after !== null);
    expect(looks).toBe(2);
    const left = await chunks.distinct('files_id');
    expect(left.map(String)).not.toEqual(expect.arrayContaining([String(old)]));
    expect(left).toHaveLength(2);
    expect(left.map(String)).toContain(String(young));
    expect(named).toMatchObject((await engines.blobs.stat('org', named.sha256)) ?? { sha256: 'none' });
    const pieces: Uint8Array[] = [];
    for await (const piece of (await engines.blobs.open('org', named.sha256)) ?? []) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('named');
  } finally {
    await client.close();
    await engines.close();
  }
});
