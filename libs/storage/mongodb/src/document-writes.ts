import type { AnyBulkWriteOperation } from 'mongodb';
import type { CollectionDefinition, Document, Write } from '@assurance/storage-ports';
import { contentOf, type DocumentRecord, type Records } from './document-record';
import { duplicatesIn } from './faults';
import { RETRY } from './persist';

type Operation = AnyBulkWriteOperation<DocumentRecord>;

/** The result of a bulk write. */
interface BulkResult<T> {
  /** The writes that met a duplicate key. */
  readonly met: readonly T[];
  /** How many upserts inserted a document. */
  readonly upserted: number;
}

/** Runs operations in one unordered bulk write. */
async function run<T>(
  records: Records,
  items: readonly T[],
  operation: (item: T) => Operation,
): Promise<BulkResult<T>> {
  if (items.length === 0) return { met: [], upserted: 0 };
  try {
    // Without the model, because it would cast every field again.
    const { upsertedCount } = await records.collection.bulkWrite(
      items.map(operation) as unknown as AnyBulkWriteOperation[],
      { ordered: false },
    );
    return { met: [], upserted: upsertedCount };
  } catch (error) {
    return { met: duplicatesIn(error).map((i) => items[i]!), upserted: 0 };
  }
}

/**
 * The share of new documents among the writes to a collection, as a moving average. An insert costs MongoDB about half as much as an upsert.
 * But if the document exists already, an upsert has to follow.
 */
export class InsertRatio {
  private share = 0.5;

  /** Whether an insert is worth trying first. */
  get isInsertLikely(): boolean {
    return this.share >= 0.5;
  }

  update(fresh: number, of: number): void {
    if (of > 0) this.share += 0.2 * (Math.min(1, fresh / of) - this.share);
  }
}

/** This number of additional upserts costs MongoDB less than one additional command. */
const FEW = 8;

/**
 * Carries out writes. Each may be repeated without harm.
 *
 * If most documents are new, all are inserted first, and only the existing ones are upserted. If there are only a few documents and also removals,
 * all writes are sent in one command: removals are updates, and so are upserts.
 *
 * An upsert meets a duplicate key if the stored document does not have a lower seq, but also if another process inserts the document at the same
 * moment. So it is tried again without inserting. If it then finds nothing to update, the stored document is newer.
 */
export async function writeDocuments<T extends Document>(
  records: Records,
  definition: CollectionDefinition<T>,
  writes: readonly Write<T>[],
  shareOfNew: InsertRatio,
): Promise<true | typeof RETRY> {
  const adding = writes.filter((write) => write.kind === 'put' || write.kind === 'forward');
  let open = writes;
  const areFew = adding.length <= FEW && writes.some(({ kind }) => kind === 'remove');
  if (shareOfNew.isInsertLikely && adding.length > 0 && !areFew) {
    const { met } = await run(records, adding, (write) => insertion(definition, write));
    shareOfNew.update(adding.length - met.length, adding.length);
    open = [...met, ...writes.filter((write) => write.kind === 'remove' || write.kind === 'forget')];
  }
  const { met: behind, upserted } = await run(records, open, (write) => update(definition, write, true));
  if (open === writes) shareOfNew.update(upserted, adding.length);
  const { met: remaining } = await run(records, behind, (write) => update(definition, write, false));
  return remaining.length === 0 ? true : RETRY;
}

type Upsert = Extract<Write<Document>, { readonly kind: 'put' | 'forward' }>;

function insertion(definition: CollectionDefinition<Document>, write: Upsert): Operation {
  const seq = write.kind === 'forward' ? write.seq : 0;
  return { insertOne: { document: { _id: write.id, seq, rev: 1, ...contentOf(definition, write.doc) } } };
}

function update(definition: CollectionDefinition<Document>, write: Write<Document>, upsert: boolean): Operation {
  const { id: _id } = write;
  switch (write.kind) {
    case 'put': {
      const $set = contentOf(definition, write.doc);
      return { updateOne: { filter: { _id }, update: { $set, $inc: { rev: 1 }, $setOnInsert: { seq: 0 } }, upsert } };
    }
    case 'forward': {
      const { seq } = write;
      const $set = { ...contentOf(definition, write.doc), seq };
      return { updateOne: { filter: { _id, seq: { $lt: seq } }, update: { $set, $inc: { rev: 1 } }, upsert } };
    }
    case 'remove': {
      const { seq } = write;
      const update = { $set: { gone: true, seq }, $unset: { body: 1, f: 1 }, $inc: { rev: 1 } } as const;
      return { updateOne: { filter: { _id, seq: { $lt: seq } }, update, upsert } };
    }
    case 'forget':
      return { deleteOne: { filter: { _id } } };
  }
}

/** A document after a merge, and the revision from which it was computed (0: there was no document). */
export interface MergedDocument {
  readonly id: string;
  readonly rev: number;
  readonly content: ReturnType<typeof contentOf>;
}

/**
 * Inserts documents that did not exist, and replaces documents that still have the revision that was read. Returns the
 * documents for which neither is true any more. A replacement is an upsert, because only a duplicate key shows which
 * operations of a bulk write found nothing to update.
 */
export async function replaceSame(
  records: Records,
  mergedDocuments: readonly MergedDocument[],
): Promise<readonly MergedDocument[]> {
  const { met } = await run(records, mergedDocuments, ({ id: _id, rev, content }) => {
    if (rev === 0) return { insertOne: { document: { _id, seq: 0, rev: 1, ...content } } };
    // If the document was forgotten meanwhile, the upsert creates it again.
    const update = { $set: content, $inc: { rev: 1 }, $setOnInsert: { seq: 0 } };
    return { updateOne: { filter: { _id, rev }, update, upsert: true } };
  });
  return met;
}
