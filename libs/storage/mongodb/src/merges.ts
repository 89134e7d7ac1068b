import { BytesCache } from '@assurance/kernel';
import type { CollectionDefinition, Document } from '@assurance/storage-ports';
import { contentOf, type DocumentRecord, readRecords, type Records } from './document-record';
import { type MergedDocument, replaceSame } from './document-writes';

/** The size of the memory of one collection (bytes). */
const BYTES_MAX = 2 * 1024 * 1024;
/** The weight of one merge in the moving average of right guesses. */
const STEP = 0.2;

/** A change of a document. It must be pure, because it may be called more than once. */
export type Change<T extends Document> = (current: T | null, id: string) => T | undefined;

/** The last version of a document that this process wrote. A majority has it. */
type WrittenDocument = Pick<DocumentRecord, 'rev' | 'body'>;

/**
 * The documents that a merge expects in a collection, so that it need not read them first. If a collection is merged often, it expects what this
 * process wrote last. Otherwise it expects no document. If a guess is wrong, the write fails, because it names the revision.
 */
export class ExpectedDocuments {
  private readonly lastWritten: BytesCache<WrittenDocument> | null;
  /** The share of right guesses, as a moving average. Guesses that could have been made count too. */
  private shareOfRight = 0;

  constructor({ mergedOften }: Pick<CollectionDefinition<Document>, 'mergedOften'>) {
    this.lastWritten = mergedOften === true ? new BytesCache(BYTES_MAX) : null;
  }

  /** Whether guesses are right often enough. */
  get pay(): boolean {
    return this.shareOfRight >= 0.5;
  }

  /** Null: no document is expected. */
  get(id: string): WrittenDocument | null {
    return this.lastWritten?.get(id) ?? null;
  }

  /** @param rightCount how many of the guesses about documents saved a read, or would have saved one */
  updateShare(rightCount: number, all: number): void {
    if (all > 0) this.shareOfRight += STEP * (rightCount / all - this.shareOfRight);
  }

  remember(id: string, now: WrittenDocument): void {
    if ((this.lastWritten?.peek(id)?.rev ?? 0) < now.rev) this.lastWritten?.set(id, now);
  }

  /** Forgets all documents, because the collection is dropped. */
  forget(): void {
    this.lastWritten?.clear();
  }
}

/**
 * Changes documents, and repeats if another process has written in between. The first attempt uses the expected documents
 * if that usually works. Further attempts read them. A read may return data that a majority does not have yet.
 */
export async function mergeDocuments<T extends Document>(
  records: Records,
  definition: CollectionDefinition<T>,
  ids: readonly string[],
  change: Change<T>,
  guesses: ExpectedDocuments,
): Promise<void> {
  const replace = async (merged: readonly MergedDocument[]): Promise<ReadonlySet<string>> => {
    const conflictIds = new Set((await replaceSame(records, merged)).map(({ id }) => id));
    for (const { id, rev, content } of merged)
      if (!conflictIds.has(id)) guesses.remember(id, { rev: rev + 1, body: content.body });
    return conflictIds;
  };
  const created = (id: string, current: T | null, rev: number): MergedDocument[] => {
    const doc = change(current, id);
    return doc === undefined ? [] : [{ id, rev, content: contentOf(definition, doc) }];
  };
  const guessDocument = (id: string): MergedDocument[] => {
    const recentDocument = guesses.get(id);
    try {
      return created(
        id,
        recentDocument === null ? null : (JSON.parse(recentDocument.body) as T),
        recentDocument?.rev ?? 0,
      );
    } catch {
      // If the stored document causes the same error, the change throws it again after the read.
      return [];
    }
  };
  let open = ids;
  if (guesses.pay) {
    const mergedDocuments = ids.flatMap(guessDocument);
    const conflictIds = await replace(mergedDocuments);
    // If the guess leaves a document unchanged, only a read can show that the guess is right.
    const doneIds = new Set(mergedDocuments.flatMap(({ id }) => (conflictIds.has(id) ? [] : [id])));
    guesses.updateShare(doneIds.size, ids.length);
    open = ids.filter((id) => !doneIds.has(id));
  }
  while (open.length > 0) {
    const results = await readRecords(records, { _id: { $in: open } }, { readConcern: 'local' });
    const byId = new Map(results.map((record) => [record._id, record]));
    const current = (record?: DocumentRecord) =>
      record === undefined || record.gone ? null : (JSON.parse(record.body) as T);
    const mergedDocuments = open.flatMap((id) => created(id, current(byId.get(id)), byId.get(id)?.rev ?? 0));
    if (open === ids)
      guesses.updateShare(
        mergedDocuments.filter(({ id, rev }) => (guesses.get(id)?.rev ?? 0) === rev).length,
        ids.length,
      );
    open = [...(await replace(mergedDocuments))];
  }
}
