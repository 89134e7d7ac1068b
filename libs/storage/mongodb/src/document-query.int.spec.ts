import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { MongoClient } from 'mongodb';
import type { CollectionDefinition, Query } from '@assurance/storage-ports';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { mongoQuery } from './document-query';
import { openMongo } from './open-mongo';

const definition: CollectionDefinition<object> = {
  name: 'listed',
  indexes: [
    {
      name: 'by_time',
      fields: [
        ['org', 'asc'],
        ['at', 'desc'],
        ['name', 'asc'],
      ],
    },
    {
      name: 'by_name',
      fields: [
        ['org', 'asc'],
        ['kind', 'asc'],
        ['name', 'asc'],
      ],
    },
  ],
};
const QUERIES: readonly Query[] = [
  { where: { org: 'o1' }, order: [['at', 'desc']], skip: 5, limit: 10 },
  { where: { org: 'o1' }, order: [['at', 'asc']], limit: 10 },
  {
    where: { org: 'o1' },
    order: [
      ['at', 'desc'],
      ['name', 'asc'],
    ],
    limit: 10,
  },
  { where: { org: 'o1', at: { gte: 3, lte: 90 } }, order: [['at', 'asc']], limit: 10 },
  { where: { org: { in: ['o0', 'o1'] } }, order: [['at', 'desc']], limit: 10 },
  { where: { org: 'o1', kind: { in: ['k0', 'k1', 'k2'] } }, order: [['name', 'desc']], limit: 10 },
];

/** All stages of a plan by name. */
function stages(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const own = 'stage' in plan ? [String(plan.stage)] : [];
  return [...own, ...Object.values(plan).flatMap(stages)];
}

it('reads a page from its index, without sorting and without looking at more than the page', async () => {
  const { url, database } = freshMongodb();
  const engines = await openMongo({
    url,
    database,
    now: Date.now,
    steady: () => performance.now(),
    random: randomBytes,
  });
  const client = new MongoClient(url, { runtimeAdapters: { os } });
  try {
    await engines.documents.collection(definition).write(
      Array.from({ length: 500 }, (_, i) => ({
        kind: 'put',
        id: `${i}`,
        doc: { org: `o${i % 3}`, at: i % 100, name: `n${i % 7}`, kind: `k${i % 5}` },
      })),
    );
    for (const query of QUERIES) {
      const { filter, sort, hint } = mongoQuery(definition, query);
      const { skip = 0, limit } = query;
      const plan = await client
        .db(database)
        .collection('documents_listed')
        .find(filter)
        .sort(sort)
        .hint(hint)
        .skip(skip)
        .limit(limit)
        .explain('executionStats');
      expect(stages(plan['queryPlanner'].winningPlan)).not.toContain('SORT');
      expect(plan['executionStats'].totalDocsExamined).toBeLessThanOrEqual(skip + limit);
    }
  } finally {
    await client.close();
    await engines.close();
  }
});
