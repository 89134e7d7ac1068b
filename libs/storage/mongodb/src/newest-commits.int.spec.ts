import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { MongoClient } from 'mongodb';
import { appendAll, makeStream } from '@assurance/testing/conformance/harness';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import type { CommitRecord } from './commit-record';
import { newestOfEach } from './newest-commits';
import { openMongo } from './open-mongo';

const STREAMS = Array.from({ length: 8 }, (_, i) => `environment/${i}`);

it('looks at one commit of each stream, however many a stream has, and gives each caller its own', async () => {
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
    const { events } = engines;
    for (const [i, stream] of STREAMS.entries()) {
      await appendAll(events, makeStream(Array(5 + i).fill({}), { stream }));
    }
    const requests = [...STREAMS, 'environment/none', ...STREAMS].map((stream) => events.newest(stream));
    const seqs = STREAMS.map((_, i) => 5 + i);
    expect((await Promise.all(requests)).map((commit) => commit?.seq ?? null)).toEqual([...seqs, null, ...seqs]);

    const records = client.db(database).collection<CommitRecord>('commits');
    const plan = JSON.stringify(await newestOfEach(records, STREAMS).explain('executionStats'));
    expect(plan).toContain('DISTINCT_SCAN');
    expect(plan).toContain(`"totalDocsExamined":${STREAMS.length},`);
  } finally {
    await client.close();
    await engines.close();
  }
});
