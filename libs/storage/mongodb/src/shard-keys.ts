/** A field in ascending order, or hashed. */
type Direction = 1 | 'hashed';

/** The fields by which MongoDB's router finds the shard of a document. */
export type ShardKey = Readonly<Record<string, Direction>>;

/** The key in `SHARD_KEYS` for every collection of documents. */
const DOCUMENTS = 'documents_*';

const BY_ID: ShardKey = { _id: 'hashed' };

/**
 * The shard key of each collection.
 *
 * On a sharded cluster, a unique index works only if it begins with the shard key. So the key of commits is not hashed: the unique key of stream
 * and `seq` decides who may append. Ids of commits are unique only within a shard. They are compared only with the commit at the same position.
 */
const SHARD_KEYS: Readonly<Record<string, ShardKey>> = {
  commits: { stream: 1, seq: 1 },
  data: BY_ID,
  data_chunks: BY_ID,
  blob_digests: BY_ID,
  blob_removals: BY_ID,
  'blobs.files': BY_ID,
  'blobs.chunks': { files_id: 1, n: 1 },
  [DOCUMENTS]: BY_ID,
};

/** The shard key of a collection; null for a collection that the engine does not use. */
export function shardKeyOf(collection: string): ShardKey | null {
  if (collection.startsWith(DOCUMENTS.slice(0, -1))) return SHARD_KEYS[DOCUMENTS] ?? null;
  return SHARD_KEYS[collection] ?? null;
}

/** Commands for `mongosh`, connected to a router, that shard a database of the service. */
export function shardCommands(database: string): string {
  const fields = (key: ShardKey) =>
    Object.entries(key).map(([path, direction]) => `${path}: ${direction === 'hashed' ? "'hashed'" : direction}`);
  const collections = Object.entries(SHARD_KEYS).map(([collection, key]) => {
    const names =
      collection === DOCUMENTS
        ? `database.getCollectionNames().filter((name) => name.startsWith('${DOCUMENTS.slice(0, -1)}'))`
        : `['${collection}']`;
    return `${names}.forEach(by({ ${fields(key).join(', ')} }));`;
  });
  return [
    `const database = db.getSiblingDB('${database}');`,
    'const by = (key) => (name) => {',
    '  // What is not empty needs the index first; the others have theirs.',
    "  if (Object.values(key).includes('hashed')) database.getCollection(name).createIndex(key);",
    '  sh.shardCollection(`${database.getName()}.${name}`, key);',
    '};',
    'sh.enableSharding(database.getName());',
    ...collections,
  ].join('\n');
}
