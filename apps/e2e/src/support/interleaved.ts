import type { Collection, CollectionDefinition, Documents } from '@assurance/storage-ports';
import fc, { type Scheduler } from 'fast-check';

/** Every operation on the store waits for the scheduler, so that consumers interleave operation by operation. */
export function scheduleOperations(documents: Documents, scheduler: Scheduler): Documents {
  return around(documents, (name, act) => scheduler.schedule(Promise.resolve(), name).then(act));
}

/** A store whose owner is stopped after so many operations, once. */
export function stoppedAfter(documents: Documents, operations: number): Documents {
  let left = operations;
  return around(documents, async (_, act) => {
    left -= 1;
    if (left === -1) throw new Error('stopped');
    return act();
  });
}

/** A store before whose operations something else may be done. */
export function interrupted(documents: Documents, before: () => Promise<void>): Documents {
  return around(documents, (_, act) => before().then(act));
}

type Around = <T>(operation: string, act: () => Promise<T>) => Promise<T>;

function around(documents: Documents, turn: Around): Documents {
  // One collection for each definition, as of an engine: what follows the feed remembers things about it.
  const opened = new WeakMap<object, unknown>();
  return {
    writeInOrder: (steps) => turn('writeInOrder', () => documents.writeInOrder(steps)),
    persist: () => turn('persist', () => documents.persist()),
    drop: (definition) => turn('drop', () => documents.drop(definition)),
    collection<T extends object>(definition: CollectionDefinition<T>): Collection<T> {
      const before = opened.get(definition) as Collection<T> | undefined;
      if (before !== undefined) return before;
      const inner = documents.collection(definition);
      const outer: Collection<T> = {
        get: (id) => turn('get', () => inner.get(id)),
        getMany: (ids) => turn('getMany', () => inner.getMany(ids)),
        find: (query) => turn('find', () => inner.find(query)),
        count: (where) => turn('count', () => inner.count(where)),
        scan: (after, limit) => turn('scan', () => inner.scan(after, limit)),
        write: (writes) => turn('write', () => inner.write(writes)),
        merge: (ids, change) => turn('merge', () => inner.merge(ids, change)),
      };
      opened.set(definition, outer);
      return outer;
    },
  };
}

/** The sizes of batches, in turn. */
export const batchSizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });

export function cutIntoPieces<T>(all: readonly T[], sizes: readonly number[]): T[][] {
  const batches: T[][] = [];
  for (let from = 0; from < all.length;) {
    const size = sizes[batches.length % sizes.length] ?? 1;
    batches.push(all.slice(from, from + size));
    from += size;
  }
  return batches;
}
