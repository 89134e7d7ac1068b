import { Binary, type Collection, type Db } from 'mongodb';
import { sha256 } from '@assurance/kernel';
import type { EventStore } from '@assurance/storage-ports';
import { duplicatesIn } from './faults';
import type { Persist } from './persist';

const CHUNK_BYTES = 256 * 1024;
/** Chunks sent together: 4 MB. */
const TOGETHER = 16;

/** Marks that all chunks of the data are stored. */
interface DataRecord {
  readonly _id: string;
  readonly chunks: number;
  readonly size: number;
}

interface ChunkRecord {
  readonly _id: string;
  readonly bytes: Binary;
}

/**
 * Stores data outside commits: first chunks with a key of digest, index and organization, then a record that makes them readable.
 *
 * The key determines the content, so an existing chunk of an interrupted or concurrent put can be used.
 */
export function dataStore(db: Db, persist: Persist): Pick<EventStore, 'putData' | 'readData' | 'removeData'> {
  const records = db.collection<DataRecord>('data');
  const chunks = db.collection<ChunkRecord>('data_chunks');
  return {
    async putData(org, text) {
      const digest = sha256(text);
      const _id = `${digest}/${org}`;
      if ((await persist(() => records.findOne({ _id }))) !== null) return digest;
      const bytes = Buffer.from(text, 'utf8');
      const keys = keysOf(org, digest, Math.ceil(bytes.length / CHUNK_BYTES));
      for (let from = 0; from < keys.length; from += TOGETHER) {
        const pieces = keys.slice(from, from + TOGETHER).map((key, i) => ({
          _id: key,
          bytes: new Binary(bytes.subarray((from + i) * CHUNK_BYTES, (from + i + 1) * CHUNK_BYTES)),
        }));
        await persist(() => insertMissing(chunks, pieces));
      }
      await persist(() => insertMissing(records, [{ _id, chunks: keys.length, size: bytes.length }]));
      return digest;
    },

    async readData(org, digest) {
      const record = await persist(() => records.findOne({ _id: `${digest}/${org}` }));
      if (record === null) return null;
      const keys = keysOf(org, digest, record.chunks);
      const results = await persist(() => chunks.find({ _id: { $in: keys } }).toArray());
      const byKey = new Map(results.map(({ _id, bytes }) => [_id, bytes.value()]));
      const bytes = Buffer.concat(keys.map((key) => byKey.get(key) ?? new Uint8Array()));
      if (bytes.length !== record.size) throw new Error(`data ${digest} has ${bytes.length} of ${record.size} bytes`);
      return bytes.toString('utf8');
    },

    // If the process is killed in between, a repeated call removes the rest.
    async removeData(org, digest, size) {
      await persist(() => records.deleteOne({ _id: `${digest}/${org}` }));
      const keys = keysOf(org, digest, Math.ceil(size / CHUNK_BYTES));
      await persist(() => chunks.deleteMany({ _id: { $in: keys } }));
    },
  };
}

/** The organization comes last, because it may contain any characters. The rest has a fixed form. */
function keysOf(org: string, digest: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${digest}/${n}/${org}`);
}

async function insertMissing<T extends { _id: string }>(into: Collection<T>, docs: readonly T[]): Promise<void> {
  try {
    await into.insertMany(docs as unknown as Parameters<typeof into.insertMany>[0], { ordered: false });
  } catch (error) {
    duplicatesIn(error);
  }
}
