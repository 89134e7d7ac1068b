import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { type Collection, type Db, GridFSBucket, type GridFSBucketWriteStream, ObjectId } from 'mongodb';
import {
  type BlobInfo,
  type Blobs,
  BlobTooLarge,
  PUT_MAX_MS,
  type StoredBlob,
  StoreUnavailable,
} from '@assurance/storage-ports';
import { duplicatesIn, portErrorOf } from './faults';
import type { Persist, EngineDependencies } from './persist';

const OWN = 'organization_in_order';
const FILE = 'file';
const OF_ORGANIZATION = 'of_organization';
const SHA256 = /^[0-9a-f]{64}$/;

/** A record that makes a file readable as the content of a digest, for one organization. */
interface DigestRecord {
  readonly _id: string;
  readonly org: string;
  readonly sha256: string;
  readonly file: ObjectId;
  /** Bytes. */
  readonly size: number;
  /** Integer milliseconds; a sweep ignores recent puts. */
  readonly lastPutAt: number;
}

/** Records that a sweep removed a blob. The file stays, because it may still be read. */
interface RemovedRecord {
  readonly _id: ObjectId;
  readonly org: string;
  /** Integer milliseconds. */
  readonly removedAt: number;
}

/**
 * Blobs on GridFS (collections `blobs.files`, `blobs.chunks`), the records that make them readable (`blob_digests`), and the removed blobs with
 * files that may still be read (`blob_removals`).
 *
 * A put streams to a file with a random id. Its digest record is inserted last, and the loser of a race deletes its copy. (If the digest were
 * the file's id, an interrupted put would block that content forever.)
 */
export async function openBlobs(
  db: Db,
  persist: Persist,
  { now, random }: Pick<EngineDependencies, 'now' | 'random'>,
): Promise<Blobs> {
  const bucket = new GridFSBucket(db, { bucketName: 'blobs' });
  const records = db.collection<DigestRecord>('blob_digests');
  const removals = db.collection<RemovedRecord>('blob_removals');
  const chunks = db.collection<{ readonly files_id: ObjectId }>('blobs.chunks');
  await persist(() =>
    records.createIndexes([
      { name: OWN, key: { org: 1, _id: 1 } },
      { name: FILE, key: { file: 1 } },
    ]),
  );
  await persist(() => removals.createIndexes([{ name: OF_ORGANIZATION, key: { org: 1 } }]));
  const recordOf = (org: string, sha256: string) =>
    SHA256.test(sha256) ? persist(() => records.findOne({ _id: keyOf(org, sha256) })) : Promise.resolve(null);
  /** Records a removal. It replaces the removal by an earlier sweep, which no longer applies because a put has restored the blob. */
  const leave = ({ _id, ...removal }: RemovedRecord) =>
    removals.updateOne({ _id }, { $set: removal }, { upsert: true });
  /** Removes a file that no digest record names, unless a sweep left it to readers at this time (integer milliseconds) or later. */
  const dropUnnamed = async (file: ObjectId, before: number) => {
    if ((await persist(() => records.findOne({ file }))) !== null) return;
    const record = await persist(() => removals.findOne({ _id: file }));
    if (record !== null && record.removedAt >= before) return;
    await drop(bucket, file);
    if (record !== null) await persist(() => removals.deleteOne({ _id: file }));
  };
  const dropLeft = async (org: string) => {
    for (const { _id } of await persist(() => removals.find({ org }).toArray())) await dropUnnamed(_id, Infinity);
  };
  return {
    async put(org, content, limit) {
      const began = now();
      const file = fileId(began, random(8));
      const upload = bucket.openUploadStreamWithId(file, '');
      let info: BlobInfo;
      try {
        info = await send(upload, content, limit);
      } catch (error) {
        await upload.abort().catch(() => drop(bucket, file));
        throw error;
      }
      if (now() - began > PUT_MAX_MS) {
        await drop(bucket, file);
        throw new StoreUnavailable('an upload took too long');
      }
      const { sha256, size } = info;
      const record = { _id: keyOf(org, sha256), org, sha256, file, size, lastPutAt: now() };
      // After a fault here the file stays: the record may exist, and it must not name a missing file.
      const claimResult = await persist(() => claim(records, record));
      if (!claimResult.added) await drop(bucket, file);
      return { ...info, ...claimResult };
    },

    async withdraw(org, sha256, revision) {
      const where = { _id: keyOf(org, sha256), lastPutAt: revision };
      const removedRecord = await persist(() => records.findOneAndDelete(where));
      if (removedRecord !== null) await drop(bucket, removedRecord.file);
      return removedRecord !== null;
    },

    async stat(org, sha256) {
      const record = await recordOf(org, sha256);
      return record === null ? null : { sha256, size: record.size };
    },

    async open(org, sha256) {
      const record = await recordOf(org, sha256);
      return record === null ? null : read(bucket, record);
    },

    async *list(org) {
      try {
        for await (const { sha256, size } of records.find({ org }, { hint: OWN })) yield { sha256, size };
      } catch (error) {
        throw portErrorOf(error);
      }
    },

    async sweep(org, { after, limit, before, atOnce = false }, isNamed) {
      const where = { org, ...(after === null ? {} : { _id: { $gt: keyOf(org, after) } }) };
      const recordPage = await persist(() =>
        records.find(where, { hint: OWN }).sort({ _id: 1 }).limit(limit).toArray(),
      );
      const old = recordPage.filter(({ lastPutAt }) => lastPutAt < before);
      const referencedDigests = old.length === 0 ? new Set<string>() : await isNamed(old.map(({ sha256 }) => sha256));
      let bytes = 0;
      for (const { _id, sha256, file } of old) {
        if (referencedDigests.has(sha256)) continue;
        // This comes first, because a file that has neither record counts as left by an interrupted put.
        if (!atOnce) await persist(() => leave({ _id: file, org, removedAt: now() }));
        // A put before this point has made the blob recent again. A later put finds no record and inserts its own.
        const removedRecord = await persist(() => records.findOneAndDelete({ _id, lastPutAt: { $lt: before } }));
        if (removedRecord === null) continue;
        bytes += removedRecord.size;
        if (atOnce) await drop(bucket, removedRecord.file);
      }
      if (atOnce) await dropLeft(org);
      return { next: recordPage.length < limit ? null : (recordPage.at(-1)?.sha256 ?? null), bytes };
    },

    async sweepBroken({ after, limit, before }) {
      let last = after === null ? null : new ObjectId(after);
      for (let count = 0; count < limit; count += 1) {
        const from = last;
        const where = from === null ? {} : { files_id: { $gt: from } };
        const [next] = await persist(() => chunks.find(where).sort({ files_id: 1, n: 1 }).limit(1).toArray());
        // Ids begin with the time of their put, so all following files are too young as well.
        if (next === undefined || next.files_id.getTimestamp().getTime() >= before) return null;
        last = next.files_id;
        await dropUnnamed(last, before);
      }
      return last?.toHexString() ?? null;
    },
  };
}

/** An id that begins with a time (integer milliseconds), like every `ObjectId`. So ids are in the order of their puts, to the second. */
function fileId(at: number, random: Uint8Array): ObjectId {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(Math.floor(at / 1_000) % 2 ** 32);
  bytes.set(random, 4);
  return new ObjectId(bytes);
}

/** The organization comes last, because it may contain any characters. */
function keyOf(org: string, sha256: string): string {
  return `${sha256}/${org}`;
}

async function send(
  upload: GridFSBucketWriteStream,
  content: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<BlobInfo> {
  const hash = createHash('sha256');
  let size = 0;
  let fault: unknown;
  upload.on('error', (error) => (fault = error));
  for await (const piece of content) {
    size += piece.length;
    if (size > limit) throw new BlobTooLarge(limit);
    hash.update(piece);
    if (fault === undefined && !upload.write(piece))
      await once(upload, 'drain').catch((error: unknown) => (fault = error));
    if (fault !== undefined) throw portErrorOf(fault);
  }
  upload.end();
  // The callback of `end` is not used, because it is also called after a fault.
  await finished(upload).catch((error: unknown) => {
    throw portErrorOf(error);
  });
  return { sha256: hash.digest('hex'), size };
}

/** Adds the record, unless another put of the same content was first. Then it updates the put time of that record. */
async function claim(
  records: Collection<DigestRecord>,
  record: DigestRecord,
): Promise<Pick<StoredBlob, 'added' | 'revision'>> {
  const { _id, file, lastPutAt } = record;
  for (;;) {
    try {
      await records.insertMany([record], { ordered: false });
      return { added: true, revision: lastPutAt };
    } catch (error) {
      duplicatesIn(error);
    }
    // After an insert with an unknown result, the existing record may be the one of this put. After a sweep there may
    // be none.
    const revision = { $max: [lastPutAt, { $add: ['$lastPutAt', 1] }] };
    const put = [{ $set: { lastPutAt: revision } }];
    const there = await records.findOneAndUpdate({ _id }, put, { returnDocument: 'after' });
    if (there !== null) return { added: there.file.equals(file), revision: there.lastPutAt };
  }
}

/** Removes a file. If this fails, the next sweep removes it, because nothing references it. */
async function drop(bucket: GridFSBucket, file: ObjectId): Promise<void> {
  await bucket.delete(file).catch(() => undefined);
}

async function* read(bucket: GridFSBucket, { file, size }: DigestRecord): AsyncGenerator<Uint8Array> {
  let bytesRead = 0;
  try {
    for await (const piece of bucket.openDownloadStream(file)) {
      bytesRead += (piece as Uint8Array).length;
      yield piece as Uint8Array;
    }
  } catch (error) {
    throw portErrorOf(error);
  }
  // The driver does not report missing content.
  if (bytesRead < size) throw new StoreUnavailable('MongoDB has only a part of the content');
}
