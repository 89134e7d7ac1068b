import { index } from '@assurance/contracts/events/aggregate';
import type { Collection, CollectionDefinition, Documents, StoredBlob } from '@assurance/storage-ports';

const SHA256 = /^[0-9a-f]{64}$/;

/** Records that an object holds the content of a digest, for one organization. An object without such a record cannot be read. */
export interface BlobRecord {
  readonly org: string;
  readonly sha256: string;
  /** Name of the object, without the folder. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** Integer milliseconds. A sweep keeps recently put content. */
  readonly lastPutAt: number;
}

/** The result of a put, and the object that holds the content now. */
interface PutResult extends Pick<StoredBlob, 'added' | 'revision'> {
  readonly file: string;
}

/** Replaces the record of a removed blob. So its removal and a later put each change one document. */
interface RemovedRecord {
  readonly removed: true;
}

const records: CollectionDefinition<BlobRecord | RemovedRecord> = {
  name: 'blob_objects',
  indexes: [index('of_organization', 'org', 'sha256'), index('by_file', 'file')],
};

/** The records of blobs. Each changes atomically, so they decide every race between puts, withdrawals and sweeps. */
export class Records {
  private readonly records: Collection<BlobRecord | RemovedRecord>;

  constructor(documents: Documents) {
    this.records = documents.collection(records);
  }

  async find(org: string, sha256: string): Promise<BlobRecord | null> {
    if (!SHA256.test(sha256)) return null;
    return unlessRemoved(await this.records.get(idOf(org, sha256)));
  }

  /** Adds the record, unless another put of the same content was first. Then it updates the put time of that record. */
  async claim(record: BlobRecord): Promise<PutResult> {
    let claimedRecord = record;
    await this.records.merge([idOf(record.org, record.sha256)], (current) => {
      const before = unlessRemoved(current);
      claimedRecord = before === null ? record : { ...before, lastPutAt: nextPutTime(before, record) };
      return claimedRecord;
    });
    return { added: claimedRecord.file === record.file, revision: claimedRecord.lastPutAt, file: claimedRecord.file };
  }

  /** Records a new object for content that lost its object, unless another put was faster. */
  async replace(record: BlobRecord, lost: string): Promise<PutResult> {
    let replacedRecord = record;
    await this.records.merge([idOf(record.org, record.sha256)], (current) => {
      const before = unlessRemoved(current);
      const file = before === null || before.file === lost ? record.file : before.file;
      replacedRecord = { ...record, file, lastPutAt: before === null ? record.lastPutAt : nextPutTime(before, record) };
      return replacedRecord;
    });
    return { added: false, revision: replacedRecord.lastPutAt, file: replacedRecord.file };
  }

  /**
   * Removes a record if a condition holds.
   *
   * @returns the removed record; null if it stays or there is none
   */
  async removeIf({ org, sha256 }: Pick<BlobRecord, 'org' | 'sha256'>, is: (record: BlobRecord) => boolean) {
    if (!SHA256.test(sha256)) return null;
    let removedRecord: BlobRecord | null = null;
    await this.records.merge([idOf(org, sha256)], (current) => {
      const record = unlessRemoved(current);
      removedRecord = record !== null && is(record) ? record : null;
      return removedRecord === null ? undefined : { removed: true };
    });
    return removedRecord as BlobRecord | null;
  }

  /** The records of an organization after a digest, in the order of their digests. */
  async listAfter(org: string, after: string | null, limit: number): Promise<BlobRecord[]> {
    // A range includes its bounds. No digest lies between a digest and the same digest with a blank after it.
    const where = { org, sha256: { gte: after === null ? '' : `${after} ` } };
    const results = await this.records.find({ where, order: [['sha256', 'asc']], limit });
    return results.map(({ doc }) => doc as BlobRecord);
  }

  /** The files among these that a record names. */
  async namedOf(files: readonly string[]): Promise<ReadonlySet<string>> {
    if (files.length === 0) return new Set();
    const results = await this.records.find({ where: { file: { in: files } }, limit: files.length });
    return new Set(results.map(({ doc }) => (doc as BlobRecord).file));
  }
}

function unlessRemoved(record: BlobRecord | RemovedRecord | null): BlobRecord | null {
  return record === null || 'removed' in record ? null : record;
}

/** The time of a put (integer milliseconds). It is always later than the time of the previous put, whatever the clock shows. */
function nextPutTime(before: BlobRecord, { lastPutAt }: BlobRecord): number {
  return Math.max(lastPutAt, before.lastPutAt + 1);
}

/** The organization comes last, because it may contain any characters. */
function idOf(org: string, sha256: string): string {
  return `${sha256}/${org}`;
}
