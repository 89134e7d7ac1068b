import { createHash } from 'node:crypto';
import type { Proxies } from '@assurance/kernel';
import {
  type BlobInfo,
  type Blobs,
  BlobTooLarge,
  type Documents,
  PUT_MAX_MS,
  StoreMisconfigured,
  StoreUnavailable,
} from '@assurance/storage-ports';
import { Bucket, type S3Settings } from './bucket';
import { whyUnusable } from './faults';
import { ownership } from './ownership';
import { Records } from './records';

export type { S3Settings } from './bucket';

export interface S3Options extends S3Settings {
  /** The proxies to the server. */
  readonly proxies: Proxies;
  /** Store which object holds which blob. */
  readonly documents: Documents;
  /** Integer milliseconds since 1970. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Is called when the server does not answer at the start of the service. */
  readonly onFault: (fault: unknown) => void;
}

export interface S3Blobs extends Blobs {
  close(): void;
}

/** The folder of the objects with blobs. */
const FOLDER = 'blobs/';
/** The steps of a sweep of interrupted puts: objects, then multipart uploads. */
const OBJECTS = 'objects/';
const UPLOADS = 'uploads/';

/**
 * Opens blobs on a server with the S3 protocol, and the records in `documents` that make them readable.
 *
 * A put streams to an object with a random name. Its record is written last, and the loser of a race deletes its copy.
 * If the server does not answer now, the service starts nevertheless: blobs fail with `StoreUnavailable`, and
 * everything else works.
 *
 * @throws StoreMisconfigured if the server refuses the settings, or the bucket belongs to another installation
 */
export async function openS3({ documents, proxies, now, random, onFault, ...settings }: S3Options): Promise<S3Blobs> {
  const bucket = new Bucket(settings, proxies);
  const records = new Records(documents);
  const check = ownership(bucket, documents, random, `${settings.bucket}/${settings.prefix}`);
  try {
    await check();
  } catch (fault) {
    const why = whyUnusable(fault, settings.bucket);
    if (!(why instanceof StoreUnavailable)) {
      bucket.close();
      throw why;
    }
    onFault(why);
  }
  // While requests are served, callers see a wrong setting as an unreachable storage.
  const checkOwnership = () =>
    check().catch((fault: unknown) => {
      throw fault instanceof StoreMisconfigured ? new StoreUnavailable(fault.message) : fault;
    });
  // The sweep removes the rest, because nothing references it.
  const drop = (file: string) => bucket.remove(`${FOLDER}${file}`).catch(() => undefined);
  // It uses a list, because the answer to HEAD does not distinguish a missing object from a missing bucket.
  const isThere = async (file: string) => (await bucket.list(`${FOLDER}${file}`, '', 1)).length > 0;
  return {
    async put(org, content, limit) {
      await checkOwnership();
      const began = now();
      const file = fileName(began, random(16));
      const { sha256, size } = await send(bucket, file, content, limit);
      if (now() - began > PUT_MAX_MS) {
        await drop(file);
        throw new StoreUnavailable('an upload took too long');
      }
      const record = { org, sha256, file, size, lastPutAt: now() };
      let claimResult = await records.claim(record);
      if (!claimResult.added && !(await isThere(claimResult.file)))
        claimResult = await records.replace(record, claimResult.file);
      const { added, revision } = claimResult;
      if (claimResult.file !== file) await drop(file);
      return { sha256, size, added, revision };
    },

    async withdraw(org, sha256, revision) {
      const removed = await records.removeIf({ org, sha256 }, ({ lastPutAt }) => lastPutAt === revision);
      if (removed !== null) await drop(removed.file);
      return removed !== null;
    },

    async stat(org, sha256) {
      const record = await records.find(org, sha256);
      return record === null ? null : { sha256, size: record.size };
    },

    async open(org, sha256) {
      for (let before: string | null = null; ;) {
        const record = await records.find(org, sha256);
        if (record === null) return null;
        const content = await bucket.get(`${FOLDER}${record.file}`);
        if (content !== null) return content;
        // A sweep may have removed the object since its record was read.
        if (record.file === before) return null;
        before = record.file;
      }
    },

    async isLost(org, sha256) {
      const record = await records.find(org, sha256);
      if (record === null || (await isThere(record.file))) return false;
      // A sweep or a put may have changed the record since it was read.
      return (await records.find(org, sha256))?.file === record.file;
    },

    async *list(org) {
      const page = 500;
      for (let after: string | null = null; ;) {
        const results = await records.listAfter(org, after, page);
        for (const { sha256, size } of results) yield { sha256, size };
        if (results.length < page) return;
        after = results.at(-1)?.sha256 ?? null;
      }
    },

    async sweep(org, { after, limit, before }, isNamed) {
      const recordPage = await records.listAfter(org, after, limit);
      const old = recordPage.filter(({ lastPutAt }) => lastPutAt < before);
      const retainedDigests = old.length === 0 ? new Set<string>() : await isNamed(old.map(({ sha256 }) => sha256));
      let bytes = 0;
      for (const record of old) {
        if (retainedDigests.has(record.sha256)) continue;
        // If a put has made the blob recent again, its record stays.
        const removedRecord = await records.removeIf(record, ({ lastPutAt }) => lastPutAt < before);
        if (removedRecord === null) continue;
        bytes += removedRecord.size;
        await drop(removedRecord.file);
      }
      return { next: recordPage.length < limit ? null : (recordPage.at(-1)?.sha256 ?? null), bytes };
    },

    async sweepBroken({ after, limit, before }) {
      await checkOwnership();
      // Names begin with the time of their put, so all following objects are too young as well.
      const isOld = (name: string) => name < `${FOLDER}${fileName(before, new Uint8Array())}`;
      const at = after ?? `${OBJECTS}${FOLDER}`;
      if (at.startsWith(UPLOADS)) {
        const uploads = await bucket.listUploads(FOLDER, at.slice(UPLOADS.length), limit);
        const old = uploads.filter(({ name }) => isOld(name));
        for (const upload of old) await bucket.abort(upload);
        return old.length < limit ? null : `${UPLOADS}${old.at(-1)?.name}`;
      }
      const names = (await bucket.list(FOLDER, at.slice(OBJECTS.length), limit)).filter(isOld);
      const files = names.map((name) => name.slice(FOLDER.length));
      const inUse = await records.namedOf(files);
      for (const file of files) if (!inUse.has(file)) await drop(file);
      return names.length < limit ? `${UPLOADS}${FOLDER}` : `${OBJECTS}${names.at(-1)}`;
    },

    close: () => bucket.close(),
  };
}

/** Makes a name that sorts by its time (integer milliseconds). */
function fileName(at: number, random: Uint8Array): string {
  return `${at.toString(16).padStart(12, '0')}${Buffer.from(random).toString('hex')}`;
}

async function send(
  bucket: Bucket,
  file: string,
  content: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<BlobInfo> {
  const hash = createHash('sha256');
  let size = 0;
  let fault: { readonly error: unknown } | null = null;
  async function* hashChunks() {
    try {
      for await (const piece of content) {
        size += piece.length;
        if (size > limit) throw new BlobTooLarge(limit);
        hash.update(piece);
        yield piece;
      }
    } catch (error) {
      fault = { error };
      throw error;
    }
  }
  // A failed upload throws its error into its source. It ends here, so `hashChunks` only sees that reading stopped.
  async function* pieces() {
    for await (const piece of hashChunks()) yield piece;
  }
  try {
    await bucket.upload(`${FOLDER}${file}`, pieces(), limit);
  } catch (error) {
    // The error of the content. The upload may have failed with another error that followed from it.
    throw fault === null ? error : (fault as { readonly error: unknown }).error;
  }
  return { sha256: hash.digest('hex'), size };
}
