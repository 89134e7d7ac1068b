import type { Collection, Document, Documents } from '@assurance/storage-ports';
import { shuffle } from './shuffle';
import type { Loose } from './steps';

/** The writes of a call come one by one in any order; a merge calls its function first with what was there a moment ago. */
export function looseDocuments(documents: Documents, loose: Loose): Documents {
  return {
    collection: (definition) => looseCollection(documents.collection(definition), loose),
    async writeInOrder(steps) {
      for (const step of steps) {
        for (const { collection, writes } of shuffle(step, loose.random)) {
          await looseCollection(documents.collection(collection), loose).write(writes);
        }
      }
    },
    async persist() {
      await loose.step('documents.write');
      await documents.persist();
    },
    async drop(definition) {
      await loose.step('documents.write');
      await documents.drop(definition);
      await loose.step('documents.written');
    },
  };
}

function looseCollection<T extends Document>(collection: Collection<T>, { random, step }: Loose): Collection<T> {
  const read = async <R>(answer: () => Promise<R>): Promise<R> => {
    await step('documents.read');
    return answer();
  };
  return {
    get: (id) => read(() => collection.get(id)),
    getMany: (ids) => read(() => collection.getMany(ids)),
    find: (query) => read(() => collection.find(query)),
    count: (where) => read(() => collection.count(where)),
    scan: (after, limit) => read(() => collection.scan(after, 1 + Math.floor(random() * limit))),
    async write(writes) {
      for (const write of shuffle(writes, random)) {
        await step('documents.write');
        await collection.write([write]);
        await step('documents.written');
      }
    },
    async merge(ids, change) {
      for (const id of shuffle([...new Set(ids)], random)) {
        const before = await collection.get(id);
        await step('documents.merge');
        await collection.merge([id], (current) => {
          change(structuredClone(before), id);
          return change(current, id);
        });
        await step('documents.merged');
      }
    },
  };
}
