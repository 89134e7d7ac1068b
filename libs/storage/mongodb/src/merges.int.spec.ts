import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { MongoClient } from 'mongodb';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { openMongo } from './open-mongo';

interface Counter {
  readonly count: number;
}

/** After this number of merges, guesses are used. */
const ENOUGH = 6;
const often = { name: 'counters', indexes: [], mergedOften: true } as const;
const rows = { name: 'rows', indexes: [] } as const;

describe('merges that expect what they find', () => {
  const own = freshMongodb();
  const client = new MongoClient(own.url, { runtimeAdapters: { os } });
  const all: Awaited<ReturnType<typeof openMongo>>[] = [];

  const open = async () => {
    const engines = await openMongo({
      ...own,
      now: Date.now,
      steady: () => performance.now(),
      random: randomBytes,
    });
    all.push(engines);
    return engines.documents;
  };
  const plus = (current: Counter | null): Counter => ({ count: (current?.count ?? 0) + 1 });
  /** How many finds of a collection a step costs MongoDB. */
  const finds = async (of: string, step: () => Promise<void>): Promise<number> => {
    const db = client.db(own.database);
    await db.command({ profile: 2 });
    try {
      await step();
    } finally {
      await db.command({ profile: 0 });
    }
    const result = await db
      .collection('system.profile')
      .countDocuments({ op: 'query', ns: `${own.database}.documents_${of}` });
    await db.dropCollection('system.profile');
    return result;
  };

  afterAll(async () => {
    await client.close();
    for (const engines of all) await engines.close();
  });

  it('do not read a document that this process wrote last', async () => {
    const counters = (await open()).collection<Counter>(often);
    for (let i = 0; i < ENOUGH; i += 1) await counters.merge(['mine', 'too'], plus);
    expect(await finds('counters', () => counters.merge(['mine', 'too'], plus))).toBe(0);
    expect(await counters.get('mine')).toEqual({ count: ENOUGH + 1 });
  });

  it('read a document that another process wrote since, and lose none of its changes', async () => {
    const [first, second] = [(await open()).collection<Counter>(often), (await open()).collection<Counter>(often)];
    for (let i = 0; i < ENOUGH; i += 1) await first.merge(['ours', 'also'], plus);
    await second.merge(['ours'], plus);
    await second.write([{ kind: 'put', id: 'also', doc: { count: 100 } }]);
    expect(await finds('counters', () => first.merge(['ours', 'also'], plus))).toBe(1);
    expect(await second.get('ours')).toEqual({ count: ENOUGH + 2 });
    expect(await second.get('also')).toEqual({ count: 101 });
    await Promise.all([first, second].flatMap((each) => Array.from({ length: 20 }, () => each.merge(['ours'], plus))));
    expect(await first.get('ours')).toEqual({ count: ENOUGH + 42 });
  });

  it('show a change that is refused, and one that leaves the document, what is there now', async () => {
    const [first, second] = [(await open()).collection<Counter>(often), (await open()).collection<Counter>(often)];
    for (let i = 0; i < ENOUGH; i += 1) await first.merge(['shown'], plus);
    await second.write([{ kind: 'put', id: 'shown', doc: { count: 100 } }]);
    const small = (current: Counter | null) => ((current?.count ?? 0) < 100 ? undefined : plus(current));
    await first.merge(['shown'], small);
    expect(await second.get('shown')).toEqual({ count: 101 });
    await second.merge(['shown'], () => ({ count: 0 }));
    await first.merge(['shown'], (current) => {
      if (current?.count !== 0) throw new Error('not what is there');
      return plus(current);
    });
    expect(await second.get('shown')).toEqual({ count: 1 });
  });

  it('insert documents without a read where most are new, and change those that are there', async () => {
    const documents = await open();
    const counters = documents.collection<Counter>(rows);
    for (let i = 0; i < ENOUGH; i += 1) await counters.merge([`new-${i}`], plus);
    expect(await finds('rows', () => counters.merge(['new-a', 'new-b', 'new-c'], plus))).toBe(0);
    expect(await finds('rows', () => counters.merge(['new-a', 'new-d', 'new-e'], plus))).toBe(1);
    expect(await counters.get('new-a')).toEqual({ count: 2 });
    expect(await counters.get('new-e')).toEqual({ count: 1 });
  });

  it('expect nothing of a collection that is gone', async () => {
    const documents = await open();
    const counters = documents.collection<Counter>({ ...often, name: 'dropped' });
    for (let i = 0; i < ENOUGH; i += 1) await counters.merge(['one'], plus);
    await documents.drop({ ...often, name: 'dropped' });
    await counters.merge(['one'], plus);
    expect(await counters.get('one')).toEqual({ count: 1 });
  });
});
