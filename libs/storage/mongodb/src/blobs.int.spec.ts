import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { MongoClient, ObjectId } from 'mongodb';
import { sha256 } from '@assurance/kernel';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { openMongo } from './open-mongo';

const NOW = 1_700_000_000_000;
const DAY = 24 * 3_600_000;

/** Blobs with the clock `time.now`, and the files that contain their bytes. */
async function opened(time: { readonly now: number }) {
  const { url, database } = freshMongodb();
  const engines = await openMongo({
    url,
    database,
    now: () => time.now,
    steady: () => performance.now(),
    random: randomBytes,
  });
  const client = new MongoClient(url, { runtimeAdapters: { os } });
  const chunks = client.db(database).collection<{ files_id: ObjectId; n: number; data: Buffer }>('blobs.chunks');
  const close = async () => {
    await client.close();
    await engines.close();
  };
  return { blobs: engines.blobs, chunks, close };
}

async function* content(text = 'named') {
  yield await Promise.resolve(Buffer.from(text));
}

it('keeps the bytes of a removed blob an hour for its readers, unless they are to go at once', async () => {
  const time = { now: NOW };
  const { blobs, chunks, close } = await opened(time);
  const sweep = (org: string, atOnce: boolean) =>
    blobs.sweep(org, { after: null, limit: 10, before: time.now, atOnce }, () => Promise.resolve(new Set()));
  const sweepBroken = () => blobs.sweepBroken({ after: null, limit: 10, before: time.now - DAY / 24 });
  const files = async () => (await chunks.distinct('files_id')).length;
  try {
    for (const org of ['kept', 'erased']) await blobs.put(org, content('removed'), 100);
    time.now += DAY;
    for (const org of ['kept', 'erased']) await sweep(org, false);
    await sweepBroken();
    expect(await files()).toBe(2);
    // This sweep also removes what an earlier one left to readers, but nothing of another organization.
    await blobs.put('erased', content('more'), 100);
    time.now += 1;
    await sweep('erased', true);
    expect(await files()).toBe(1);
    // The recorded removal of this file does not count, because a put has restored the blob.
    await blobs.put('back', content(), 100);
    time.now += DAY;
    const putAgain = async () => {
      time.now += 1;
      await blobs.put('back', content(), 100);
      return new Set<string>();
    };
    await blobs.sweep('back', { after: null, limit: 10, before: time.now }, putAgain);
    time.now += DAY;
    await sweepBroken();
    expect([await files(), await blobs.stat('back', sha256('named'))]).toMatchObject([1, { size: 5 }]);
  } finally {
    await close();
  }
});

it('removes what puts left that broke off long ago, by pieces, and nothing that a record names', async () => {
  const time = { now: NOW };
  const { blobs, chunks, close } = await opened(time);
  const fileAt = (ms: number) => new ObjectId(`${(ms / 1_000).toString(16)}${randomBytes(8).toString('hex')}`);
  const leave = async (file: ObjectId) => {
    for (const n of [0, 1]) await chunks.insertOne({ files_id: file, n, data: Buffer.from('left behind') });
  };
  try {
    const storedDigest = await blobs.put('org', content(), 100);
    const [old, older, young] = [fileAt(NOW), fileAt(NOW - DAY), fileAt(NOW + 2 * DAY)];
    for (const file of [old, older, young]) await leave(file);
    time.now += 2 * DAY;
    let after: string | null = null;
    let looks = 0;
    do {
      after = await blobs.sweepBroken({ after, limit: 2, before: time.now - DAY });
      looks += 1;
    } while (after !== null);
    expect(looks).toBe(2);
    const left = await chunks.distinct('files_id');
    expect(left.map(String)).not.toEqual(expect.arrayContaining([String(old)]));
    expect(left).toHaveLength(2);
    expect(left.map(String)).toContain(String(young));
    expect(storedDigest).toMatchObject((await blobs.stat('org', storedDigest.sha256)) ?? { sha256: 'none' });
    const pieces: Uint8Array[] = [];
    for await (const piece of (await blobs.open('org', storedDigest.sha256)) ?? []) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('named');
  } finally {
    await close();
  }
});
