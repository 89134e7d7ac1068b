import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { MongoClient } from 'mongodb';
import { appendAll, makeStream } from '@assurance/testing/conformance/harness';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import type { CommitRecord } from './commit-record';
import { openMongo } from './open-mongo';
import { recentOf } from './recent-positions';

it('reads no commit to tell where an actor committed', async () => {
  const { url, database } = freshMongodb();
  const engines = await openMongo({
    url,
    database,
    now: Date.now,
    steady: () => performance.now(),
    random: randomBytes,
  });
  const client = await MongoClient.connect(url, { runtimeAdapters: { os } });
  try {
    const [actor, kinds] = ['ada', new Set(['environment', 'trail'])];
    for (const stream of ['environment/1', 'trail/1', 'flow/1']) {
      await appendAll(engines.events, makeStream(Array(5).fill({}), { stream, actor }));
    }
    const records = client.db(database).collection<CommitRecord>('commits');
    expect(await recentOf(records, actor, 0, kinds).toArray()).toHaveLength(2);
    const plan = JSON.stringify(await recentOf(records, actor, 0, kinds).explain('executionStats'));
    expect(plan).toContain('"totalDocsExamined":0,');
  } finally {
    await client.close();
    await engines.close();
  }
});
