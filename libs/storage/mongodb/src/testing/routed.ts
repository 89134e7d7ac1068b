import * as os from 'node:os';
import { type Db, MongoClient } from 'mongodb';
import { type ShardKey, shardKeyOf } from '../shard-keys';

/** Enough bytes for all commands of a spec file. */
const PROFILE_BYTES = 256 * 1024 * 1024;

/** A command as a router sees it: collection, kind and the fields by which it finds documents. */
export interface Routed {
  readonly collection: string;
  /** MongoDB's name of the command, such as `find` or `update`. */
  readonly command: string;
  readonly filter: unknown;
}

/** For specs: makes MongoDB record every command on a database from now on. */
export async function recordCommands(url: string, database: string): Promise<void> {
  await withDb(url, database, async (db) => {
    await db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
    await db.command({ profile: 2 });
  });
}

/** For specs: the recorded commands on the engine's collections. Inserts are left out, because they contain whole documents. */
export async function recordedCommands(url: string, database: string): Promise<Routed[]> {
  return withDb(url, database, async (db) => {
    await db.command({ profile: 0 });
    const operations = await db.collection<ProfiledOperation>('system.profile').find().toArray();
    return operations.flatMap((record) => routeOperation(record, database));
  });
}

/** For specs: the collections of a database, without MongoDB's own. */
export async function collectionsIn(url: string, database: string): Promise<string[]> {
  return withDb(url, database, async (db) => {
    const all = await db.listCollections({}, { nameOnly: true }).toArray();
    return all.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
  });
}

/** For specs: the unique indexes of all collections, each with its fields in order. */
export async function uniqueIndexes(
  url: string,
  database: string,
): Promise<{ collection: string; fields: string[] }[]> {
  const collections = await collectionsIn(url, database);
  return withDb(url, database, async (db) => {
    const all = await Promise.all(
      collections.map(async (collection) => ({ collection, indexes: await db.collection(collection).indexes() })),
    );
    return all.flatMap(({ collection, indexes }) =>
      indexes
        .filter(({ unique }) => unique === true)
        .map(({ key }) => ({ collection, fields: Object.keys(key as Record<string, unknown>) })),
    );
  });
}

/** Whether a router asks only the shards with matching documents. For this, each branch of the filter must name values of the key's first field. */
export function carries(key: ShardKey, filter: unknown): boolean {
  const [first] = Object.keys(key);
  if (first === undefined || typeof filter !== 'object' || filter === null) return false;
  const { [first]: condition, $or } = filter as Record<string, unknown>;
  if (condition !== undefined && isEqual(condition)) return true;
  return Array.isArray($or) && $or.length > 0 && $or.every((branch) => carries(key, branch));
}

function isEqual(condition: unknown): boolean {
  if (typeof condition !== 'object' || condition === null) return true;
  const names = Object.keys(condition);
  // Without an operator it is a value, such as an ObjectId.
  if (!names.some((name) => name.startsWith('$'))) return true;
  return '$in' in condition || '$eq' in condition;
}

interface ProfiledOperation {
  readonly op: string;
  readonly ns: string;
  readonly command?: Record<string, unknown>;
}

const FILTERED = ['find', 'aggregate', 'count', 'distinct', 'findAndModify', 'q'];

function routeOperation({ op, ns, command = {} }: ProfiledOperation, database: string): Routed[] {
  const collection = ns.slice(database.length + 1);
  if (shardKeyOf(collection) === null || op === 'insert' || op === 'getmore') return [];
  const name = FILTERED.find((text) => text in command);
  if (name === undefined) return [];
  if (name === 'aggregate') {
    const [stage = {}] = command['pipeline'] as Record<string, unknown>[];
    return [{ collection, command: name, filter: stage['$match'] ?? stage }];
  }
  const filter = command['filter'] ?? command['query'] ?? command['q'];
  return [{ collection, command: name === 'q' ? op : name, filter }];
}

/**
 * Skips the validation of UTF-8, because MongoDB truncates long recorded commands, possibly within a character. A truncated command without a
 * readable name is left out, because a shorter one of its kind is recorded too.
 */
async function withDb<T>(url: string, database: string, act: (db: Db) => Promise<T>): Promise<T> {
  const client = new MongoClient(url, { runtimeAdapters: { os }, enableUtf8Validation: false });
  try {
    return await act(client.db(database));
  } finally {
    await client.close();
  }
}
