import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { MongoClient } from 'mongodb';
import { checkpointsSuite } from '@assurance/testing/conformance/checkpoints';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { type CommitRecord, toRecord } from './commit-record';
import { openMongo } from './open-mongo';

checkpointsSuite(async () => {
  const fresh = freshMongodb();
  const engines = await openMongo({ ...fresh, now: Date.now, steady: () => performance.now(), random: randomBytes });
  const client = await MongoClient.connect(fresh.url, { runtimeAdapters: { os } });
  const commits = client.db(fresh.database).collection<CommitRecord>('commits');
  return {
    engines,
    remove: async (stream, from) => void (await commits.deleteMany({ stream, seq: { $gte: from } })),
    replace: async (commit) => {
      await commits.deleteOne({ stream: commit.stream, seq: commit.seq });
      await commits.insertOne(toRecord(commit));
    },
    close: async () => {
      await client.close();
      await engines.close();
    },
  };
});
