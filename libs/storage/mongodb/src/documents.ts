import { getOrInsert, pieces } from '@assurance/kernel';
import type {
  Collection,
  CollectionDefinition,
  Document,
  Documents,
  StoredDocument,
  Write,
} from '@assurance/storage-ports';
import type { Connection } from 'mongoose';
import { mongoQuery } from './document-query';
import { type DocumentRecord, indexesOf, readRecords, type Records, recordsOf } from './document-record';
import { InsertRatio, writeDocuments } from './document-writes';
import { groupByGroup } from './group';
import { groupFinds } from './group-finds';
import { groupGets } from './group-gets';
import { ExpectedDocuments, mergeDocuments } from './merges';
import type { Persist } from './persist';

/**
 * The most writes of one command. Its acknowledgement costs as much as for a single write. More writes would block the
 * thread and delay other callers.
 */
const GROUP_MAX = 400;
/**
 * The most writes of one caller in a command. The rest goes into the next commands, so that other callers need not wait
 * for all of them.
 */
const PIECE = 100;
/** The most documents that one command of a merge replaces. */
const MERGED_MAX = 200;

type Writes = readonly Write<Document>[];
type WriteExecutor = (writes: Writes) => Promise<void>;

/** Documents on MongoDB. Each collection is stored as `documents_<name>`, which is created with its indexes when it is first used. */
export function openDocuments(connection: Connection, persist: Persist): Documents {
  const creations = new Map<Records, Promise<void>>();
  const carries = new Map<Records, WriteExecutor>();
  const expected = new Map<Records, ExpectedDocuments>();
  const cache = new WeakMap<CollectionDefinition<Document>, Collection<Document>>();
  const make = (records: Records, definition: CollectionDefinition<Document>): Promise<void> => {
    const indexes = indexesOf(definition);
    // One command creates the collection and all indexes. A collection without indexes is created by its first write.
    const making = persist(async () => {
      if (indexes.length > 0) await records.collection.createIndexes(indexes);
    });
    creations.set(records, making);
    // The waiting callers get the error. The next use tries again.
    making.catch(() => creations.delete(records));
    return making;
  };
  const collection = <T extends Document>(definition: CollectionDefinition<T>): Collection<T> => {
    const before = cache.get(definition);
    if (before !== undefined) return before as Collection<T>;
    const records = recordsOf(connection, definition);
    const use = async <R>(step: (ready: Records) => Promise<R>): Promise<R> => {
      await (creations.get(records) ?? make(records, definition));
      return step(records);
    };
    const carry = getOrInsert(carries, records, () => inGroups(records, definition, persist));
    const guesses = getOrInsert(expected, records, () => new ExpectedDocuments(definition));
    const opened = collectionOf(definition, use, { carry, guesses }, persist);
    cache.set(definition, opened as unknown as Collection<Document>);
    return opened;
  };
  return {
    collection,
    async writeInOrder(steps) {
      for (const step of steps) {
        await Promise.all(step.map((part) => collection(part.collection).write(part.writes)));
      }
    },
    // Every acknowledged write is already durable.
    persist: () => Promise.resolve(),
    async drop(definition) {
      const { name } = recordsOf(connection, definition).collection;
      await persist(async () => {
        // Looks for the collection first, because MongoDB 6 fails to drop one that does not exist.
        const there = await connection.listCollections();
        if (there.some((item) => item.name === name)) await connection.dropCollection(name);
      });
      for (const records of creations.keys()) if (records.collection.name === name) creations.delete(records);
      for (const [records, guesses] of expected) if (records.collection.name === name) guesses.forget();
    },
  };
}

/** Combines writes of several callers to one collection, one group at a time. */
function inGroups(records: Records, definition: CollectionDefinition<Document>, persist: Persist): WriteExecutor {
  const shareOfNew = new InsertRatio();
  const carryOut = async (group: readonly Writes[]) => {
    await persist(() => writeDocuments(records, definition, group.flat(), shareOfNew));
    return group.map(() => undefined);
  };
  return groupByGroup<Writes, void>(groupLimit, carryOut);
}

function groupLimit(): (writes: Writes) => boolean {
  let many = 0;
  return ({ length }) => {
    const fits = many === 0 || many + length <= GROUP_MAX;
    if (fits) many += length;
    return fits;
  };
}

function collectionOf<T extends Document>(
  definition: CollectionDefinition<T>,
  use: <R>(step: (records: Records) => Promise<R>) => Promise<R>,
  { carry, guesses }: { readonly carry: WriteExecutor; readonly guesses: ExpectedDocuments },
  persist: Persist,
): Collection<T> {
  const docOf = ({ body }: DocumentRecord): T => JSON.parse(body) as T;
  const findRecords = groupFinds((query) =>
    use((records) => {
      const { filter, sort, hint } = mongoQuery(definition, query);
      const { skip = 0, limit } = query;
      return persist(() => readRecords(records, filter, { sort, hint, skip, limit }));
    }),
  );
  const lookUp = groupGets((ids) =>
    use(async (records) => {
      const [only = '', ...more] = ids;
      const filter = { _id: more.length === 0 ? only : { $in: [...ids] }, gone: false };
      const stored = await persist(() => readRecords(records, filter, more.length === 0 ? { limit: 1 } : {}));
      return new Map(stored.map((record) => [record._id, record]));
    }),
  );
  return {
    get: async (id) => {
      const record = (await lookUp([id])).get(id);
      return record === undefined ? null : docOf(record);
    },

    getMany: async (ids) => {
      const own = [...new Set(ids)];
      const records = own.length === 0 ? new Map<string, DocumentRecord>() : await lookUp(own);
      return new Map(
        own.flatMap((id) => {
          const record = records.get(id);
          return record === undefined ? [] : [[id, docOf(record)] as const];
        }),
      );
    },

    find: async (query) => {
      const records = await findRecords(query);
      return records.map((record): StoredDocument<T> => ({ id: record._id, doc: docOf(record) }));
    },

    count: (where) =>
      use((records) => {
        const { filter, hint } = mongoQuery(definition, { where });
        return persist(() => records.collection.countDocuments(filter, { hint }));
      }),

    scan: (after, limit) =>
      use(async (records) => {
        const filter = { gone: false, ...(after === null ? {} : { _id: { $gt: after } }) };
        const all = { sort: { _id: 1 }, hint: { _id: 1 }, limit } as const;
        const results = await persist(() => readRecords(records, filter, all));
        const page = results.map((record): StoredDocument<T> => ({ id: record._id, doc: docOf(record) }));
        return { documents: page, next: page.length === limit ? (page.at(-1)?.id ?? null) : null };
      }),

    write: (writes) =>
      use(async () => {
        for (const piece of pieces(writes, PIECE)) await carry(piece);
      }),

    merge: (ids, change) =>
      use(async (records) => {
        for (const piece of pieces([...new Set(ids)], MERGED_MAX)) {
          await persist.once(() => mergeDocuments(records, definition, piece, change, guesses));
        }
      }),
  };
}
