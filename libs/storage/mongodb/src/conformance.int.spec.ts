import { randomBytes } from 'node:crypto';
import { blobsSuite } from '@assurance/testing/conformance/blobs';
import { documentsSuite } from '@assurance/testing/conformance/documents';
import { eventStoreSuite } from '@assurance/testing/conformance/event-store';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { openMongo } from './open-mongo';
import { shardKeyOf } from './shard-keys';
import { carries, collectionsIn, recordCommands, recordedCommands, type Routed, uniqueIndexes } from './testing/routed';

const databases: ReturnType<typeof freshMongodb>[] = [];

async function open(now: () => number = Date.now) {
  const where = freshMongodb();
  await recordCommands(where.url, where.database);
  databases.push(where);
  const engines = await openMongo({ ...where, now, steady: () => performance.now(), random: randomBytes });
  return { engines, close: () => engines.close() };
}

eventStoreSuite(open);
documentsSuite(open);
blobsSuite(open);

/** Commands that ask every shard: collection, command and fields. Add a line only for a command that may become slower with each shard. */
const ALL_SHARDS = [
  // The recent commits of an actor, before a view is read; all commits, to verify, rebuild or export.
  'commits aggregate $or actor at',
  'commits find',
  'commits find landed',
  // Commits that the relay publishes again if the oplog lacks its position. MongoDB does not record change streams, which also ask all shards.
  'commits find at',
  // The blobs of an organization, for an export and the sweep; what interrupted puts left.
  'blob_digests find org',
  'blob_digests find _id org',
  'blob_digests find file',
  'blob_removals find org',
  'blobs.chunks find',
  'blobs.chunks find files_id',
  // The driver checks once whether there are any files.
  'blobs.files find',
  // Lists and counts of documents by a declared index, and all documents of a collection.
  'documents find',
  'documents aggregate',
];

/** The kind of a command, without its values. The fields of queries for documents are left out, because each collection declares its own. */
function kindOf({ collection, command, filter }: Routed): string {
  if (collection.startsWith('documents_')) return `documents ${command}`;
  return [collection, command, ...Object.keys(filter ?? {}).sort()].join(' ');
}

/** Reads commits as the relay and the checkpoints do when they cannot resume. */
async function readChanges(): Promise<void> {
  const { engines, close } = await open();
  try {
    for (const at of [0, 1]) for await (const _ of engines.changes.since(at));
    for await (const _ of engines.changes.all());
  } finally {
    await close();
  }
}

/** Runs after the suites above, because they use every method of the ports. */
describe('on a sharded cluster', () => {
  let all: Routed[];
  beforeAll(async () => {
    await readChanges();
    all = (await Promise.all(databases.map(({ url, database }) => recordedCommands(url, database)))).flat();
  });

  it('names the shard key in every command, but for those that ask all shards', async () => {
    const missing = all.filter((command) => {
      const key = shardKeyOf(command.collection);
      return key === null || !carries(key, command.filter);
    });
    expect(new Set(all.map(({ command }) => command))).toEqual(
      new Set(['find', 'aggregate', 'update', 'remove', 'findAndModify']),
    );
    expect([...new Set(missing.map(kindOf))].sort()).toEqual([...ALL_SHARDS].sort());
  });

  it('has a shard key for each collection', async () => {
    const names = (await Promise.all(databases.map(({ url, database }) => collectionsIn(url, database)))).flat();
    expect(names).toContain('commits');
    expect(names.filter((name) => shardKeyOf(name) === null)).toEqual([]);
  });

  it('finds every document that is written by its whole shard key', async () => {
    const writes = all.filter(({ command }) => ['update', 'remove', 'findAndModify'].includes(command));
    const kinds = new Set(writes.filter(({ collection }) => !collection.startsWith('documents_')).map(kindOf));
    // Removing the chunks of a file by the first field alone is one command to the shards that have them.
    expect([...kinds].sort()).toEqual([
      'blob_digests findAndModify _id',
      'blob_digests findAndModify _id lastPutAt',
      'blob_removals remove _id',
      'blob_removals update _id',
      'blobs.chunks remove files_id',
      'blobs.files remove _id',
      'commits remove seq stream',
      'commits update seq stream',
      'data remove _id',
      'data_chunks remove _id',
    ]);
  });

  it('has no unique index that the shards could not keep together', async () => {
    const unique = (await Promise.all(databases.map(({ url, database }) => uniqueIndexes(url, database)))).flat();
    expect(new Set(unique.map(({ collection }) => collection))).toEqual(new Set(['commits', 'blobs.chunks']));
    for (const { collection, fields } of unique) {
      const key = shardKeyOf(collection) ?? {};
      expect(Object.values(key)).not.toContain('hashed');
      expect(fields.slice(0, Object.keys(key).length)).toEqual(Object.keys(key));
    }
  });
});
