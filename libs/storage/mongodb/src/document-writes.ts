import type { AnyBulkWriteOperation } from 'mongodb';
import type { CollectionDefinition, Document, Write } from '@assurance/storage-ports';
import { contentOf, type DocumentRecord, type Records } from './document-record';
import { duplicatesIn } from './faults';
import { RETRY } from './persist';

type Operation = AnyBulkWriteOperation<DocumentRecord>;

/** How operations ended. */
interface BulkResult<T> {
  /** The writes that met a duplicate key. */
  readonly met: readonly T[];
  /** How many upserts found nothing and inserted. */
  readonly upserted: number;
}

/** Runs operations in no order. */
async function run<T>(
  records: Records,
  items: readonly T[],
  operation: (item: T) => Operation,
): Promise<BulkResult<T>> {
  if (items.length === 0) return { met: [], upserted: 0 };
  try {
    // Past the model, which would cast every field once more.
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
 * How many of the documents written to a collection are new, as a moving average. An insert costs MongoDB about half of an upsert, but where the
 * document is there already the upsert has to follow.
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

/** So many upserts more cost MongoDB less than one command more. */
const FEW = 8;

/**
 * Carries out writes; each is harmless when repeated.
 *
 * Where most documents are new they are inserted, and only those that were there already are upserted. A few are upserted together with removals, which
 * are updates: so that is one command.
 *
 * An upsert over a smaller seq meets a duplicate key where there is a document of a larger one, but also where somebody inserts the document at
 * this moment: so it is tried once more without inserting, and then nothing to update does mean a newer document.
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

/** A document after a merge, with the revision it was made from (0: there was none). */
export interface MergedDocument {
  readonly id: string;
  readonly rev: number;
  readonly content: ReturnType<typeof contentOf>;
}

/**
 * Inserts documents that did not exist, and replaces those that still have the revision that was read. Returns the
 * documents for which neither holds any more. A replacement is an upsert, because only a duplicate key tells which
 * operations of a bulk write found nothing to update.
 */
export async function replaceSame(
  records: Records,
  merged: readonly MergedDocument[],
): Promise<readonly MergedDocument[]> {
  const { met } = await run(records, merged, ({ id: _id, rev, content }) => {
    if (rev === 0) return { insertOne: { document: { _id, seq: 0, rev: 1, ...content } } };
    // A document that was forgotten meanwhile is there anew.
    const update = { $set: content, $inc: { rev: 1 }, $setOnInsert: { seq: 0 } };
    return { updateOne: { filter: { _id, rev }, update, upsert: true } };
  });
  return met;
}
