import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Collection, CollectionDefinition, Document, Documents } from '@assurance/storage-ports';

/** Up to this time of other work in one round of the event loop, the process counts as idle (milliseconds). */
const FREE_MS = 4;
/** While others work: the factor of the pause before the next piece, and its maximum (milliseconds). */
const LEFT_TO_OTHERS = 2;
const PAUSE_MAX_MS = 100;

/** Paces background work: one piece at a time, with pauses while there is other work. Requests wait for at most one piece. */
export class BackgroundPacer {
  private last = Promise.resolve();

  /** @param steady milliseconds of a clock that never jumps */
  constructor(private readonly steady: () => number) {}

  /** Resolves when the next piece of work may run. A piece takes a few milliseconds. */
  nextPiece(): Promise<void> {
    return (this.last = this.last.then(() => this.next()));
  }

  private async next(): Promise<void> {
    // The previous piece may still be running. Other work after it goes first.
    await setImmediate();
    const start = this.steady();
    await setImmediate();
    const delay = this.steady() - start;
    if (delay > FREE_MS) await sleep(Math.min(delay * LEFT_TO_OTHERS, PAUSE_MAX_MS));
  }
}

/** The same documents. Each operation on them waits until the pacer allows the next piece of work. */
export function pacedDocuments(documents: Documents, pace: BackgroundPacer): Documents {
  const runPaced = async <T>(act: () => Promise<T>): Promise<T> => {
    await pace.nextPiece();
    return act();
  };
  const collections = new WeakMap<object, unknown>();
  const opening = <T extends Document>(definition: CollectionDefinition<T>): Collection<T> => {
    const collection = documents.collection(definition);
    return {
      get: (id) => runPaced(() => collection.get(id)),
      getMany: (ids) => runPaced(() => collection.getMany(ids)),
      find: (query) => runPaced(() => collection.find(query)),
      count: (where) => runPaced(() => collection.count(where)),
      scan: (after, limit) => runPaced(() => collection.scan(after, limit)),
      write: (writes) => runPaced(() => collection.write(writes)),
      merge: (ids, change) => runPaced(() => collection.merge(ids, change)),
    };
  };
  return {
    // Views cache what they read under the collection object, so each definition needs a stable object.
    collection<T extends Document>(definition: CollectionDefinition<T>) {
      const cachedCollection = (collections.get(definition) as Collection<T> | undefined) ?? opening(definition);
      collections.set(definition, cachedCollection);
      return cachedCollection;
    },
    writeInOrder: (steps) => runPaced(() => documents.writeInOrder(steps)),
    persist: () => documents.persist(),
    drop: (definition) => documents.drop(definition),
  };
}
