import type { AnyBulkWriteOperation } from 'mongodb';
import type { CollectionDefinition, Document, Write } from '@assurance/storage-ports';
import { contentOf } from './document-record';
import type { DocumentRecord, Records } from './document-record';
import { duplicatesIn } from './faults';
import { AGAIN } from './persist';

type Operation = AnyBulkWriteOperation<DocumentRecord>;

/** Runs operations in no order; gives those that met a duplicate key. */
async function run<T>(records: Records, items: readonly T[], operation: (item: T) => Operation): Promise<T[]> {
  if (items.length === 0) return [];
  try {
    // Past the model, which would cast every field once more.
    await records.collection.bulkWrite(items.map(operation) as unknown as AnyBulkWriteOperation[], { ordered: false });
    return [];
  } catch (error) {
    return duplicatesIn(error).map((i) => items[i]!);
  }
}

/**
 * Carries out writes; each is harmless when repeated.
 *
 * An upsert over a smaller seq meets a duplicate key where there is a document of a larger one, but also where somebody inserts the document at
 * this moment: so it is tried once more without inserting, and then nothing to update does mean a newer document.
 */
export async function writeDocuments<T extends Document>(
  records: Records,
  definition: CollectionDefinition<T>,
  writes: readonly Write<T>[],
): Promise<true | typeof AGAIN> {
  const operation = (write: Write<T>, upsert: boolean): Operation => {
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
  };
  const behind = await run(records, writes, (write) => operation(write, true));
  const left = await run(records, behind, (write) => operation(write, false));
  return left.length === 0 ? true : AGAIN;
}

/** A document after a merge, with the revision it was made from (0: there was none). */
export interface Merged {
  readonly id: string;
  readonly rev: number;
  readonly doc: Document;
}

/**
 * Replaces documents that still have the revision they were read with; gives those that have another. An upsert, because only a duplicate key
 * tells which operations of a bulk write found nothing to update.
 */
export function replaceSame(
  records: Records,
  definition: CollectionDefinition<Document>,
  merged: readonly Merged[],
): Promise<Merged[]> {
  return run(records, merged, ({ id: _id, rev, doc }) => ({
    updateOne: {
      filter: { _id, rev },
      update: {
        $set: contentOf(definition, doc),
        $inc: { rev: 1 },
        // A document that was forgotten meanwhile is there anew.
        $setOnInsert: { seq: 0 },
      },
      upsert: true,
    },
  }));
}
