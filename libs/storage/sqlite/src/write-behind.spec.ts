import { DatabaseSync } from 'node:sqlite';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { workFor } from '@assurance/kernel';
import { type CollectionDefinition, type Engines, StoreFull } from '@assurance/storage-ports';
import { unique } from '@assurance/testing/conformance/harness';
import type { Operation } from './operations';
import type { Reader } from './reader';
import { openOn, temporaryFolder } from './testing/open-temporary';
import { WriteBehind } from './write-behind';
import type { WriteQueue } from './write-queue';

interface Row {
  readonly n: number;
}

describe('deferred documents in the file', () => {
  let folder: string;
  let engines: Engines;
  beforeEach(async () => {
    folder = await temporaryFolder();
    engines = await openOn(folder);
  });
  afterEach(async () => {
    await engines.close();
    await rm(folder, { recursive: true, force: true });
  });

  const define = (deferred: 'first' | 'last'): CollectionDefinition<Row> => ({
    name: unique('deferred'),
    deferred,
    indexes: [{ name: 'by_n', fields: [['n', 'asc']] }],
  });
  const inFile = ({ name, deferred }: Pick<CollectionDefinition<object>, 'name' | 'deferred'>) => {
    const db = new DatabaseSync(join(folder, deferred === undefined ? 'assurance.db' : 'derived.db'), {
      readOnly: true,
    });
    try {
      return db.prepare(`SELECT id, rev, seq, doc FROM documents_${name} ORDER BY id`).all();
    } finally {
      db.close();
    }
  };
  const put = (id: string, n: number) => ({ kind: 'put', id, doc: { n } }) as const;

  it('are written a moment later, each only once after several changes', async () => {
    const definition = define('first');
    const rows = engines.documents.collection(definition);
    for (let n = 1; n <= 50; n += 1) await rows.merge(['a'], (current) => ({ n: (current?.n ?? 0) + 1 }));
    expect(await rows.get('a')).toEqual({ n: 50 });
    expect(inFile(definition)).toEqual([]);
    await engines.documents.persist();
    expect(inFile(definition)).toEqual([{ id: 'a', rev: 1, seq: -1, doc: '{"n":50}' }]);
    await rows.write([put('a', 51), put('b', 1)]);
    while (inFile(definition).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(inFile(definition)).toMatchObject([{ rev: 2, doc: '{"n":51}' }, { rev: 1 }]);
  });

  it('of a table that has many are written at once, and those of others later', async () => {
    const [large, small] = [define('first'), define('first')];
    await engines.documents.collection(small).write([put('a', 1)]);
    const text = 'x'.repeat(1_000);
    const many = Array.from({ length: 4_200 }, (_, n) => ({ kind: 'put', id: `${n}`, doc: { n, text } }) as const);
    await engines.documents.collection(large).write(many);
    while (inFile(large).length < 4_100) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(inFile(small)).toEqual([]);
  });

  it('stay in the file of the first definition: one that says otherwise is refused and changes nothing', async () => {
    const { deferred: _, ...rest } = define('first');
    const rows = engines.documents.collection(rest);
    await rows.write([put('a', 1)]);
    expect(() => engines.documents.collection({ ...rest, deferred: 'first' })).toThrow(
      `one definition of ${rest.name} is deferred and another is not`,
    );
    await rows.write([put('a', 2)]);
    expect(inFile(rest)).toMatchObject([{ id: 'a', doc: '{"n":2}' }]);
    const derived = define('last');
    await engines.documents.collection(derived).get('a');
    expect(() => engines.documents.collection({ ...derived, deferred: undefined })).toThrow('is deferred');
  });

  it('are found together with those that are not there yet', async () => {
    const rows = engines.documents.collection(define('first'));
    await rows.write([1, 2, 3, 4].map((n) => put(`${n}`, n)));
    await engines.documents.persist();
    await rows.write([put('0', 0), put('2', 9), { kind: 'remove', id: '3', seq: 1 }]);
    const find = async (limit: number, skip?: number) =>
      (await rows.find({ where: { n: { gte: 0 } }, order: [['n', 'desc']], limit, skip })).map(({ id }) => id);
    expect(await find(10)).toEqual(['2', '4', '1', '0']);
    await rows.write([put('5', 5)]);
    expect(await find(2)).toEqual(['2', '5']);
    await rows.write([put('6', 6)]);
    expect(await find(2, 1)).toEqual(['6', '5']);
    await rows.write([put('7', 7)]);
    expect(await rows.count({ n: { gte: 5 } })).toBe(4);
  });

  it('wait on while the pages of an order end between different keys, and are written where they do not', async () => {
    const definition = define('first');
    const rows = engines.documents.collection(definition);
    await rows.write([1, 2, 3, 4].map((n) => put(`${n}`, n)));
    await engines.documents.persist();
    await rows.write([put('5', 5), put('alike', 3)]);
    const find = async (limit: number, skip?: number) =>
      (await rows.find({ where: { n: { gte: 0 } }, order: [['n', 'desc']], limit, skip })).map(({ id }) => id);
    expect([await find(1), await find(2)]).toEqual([['5'], ['5', '4']]);
    expect((await find(4)).sort()).toEqual(['3', '4', '5', 'alike']);
    expect(inFile(definition)).toHaveLength(4);
    const pages = [await find(3), await find(3, 3)];
    expect(pages.map((page) => page.length)).toEqual([3, 3]);
    expect(pages.flat().sort()).toEqual(['1', '2', '3', '4', '5', 'alike']);
    await rows.write([put('6', 6), put('4', 0)]);
    expect(await find(2)).toEqual(['6', '5']);
  });

  it('are found by equal values, also while many wait and values change', async () => {
    const indexes = [{ name: 'by_kind', fields: [['kind', 'asc']] }] as const;
    const definition = { name: unique('kinds'), deferred: 'first', indexes } as const;
    const rows = engines.documents.collection<{ kind: string }>(definition);
    const put = (id: string, kind: string) => ({ kind: 'put', id, doc: { kind } }) as const;
    await rows.write(Array.from({ length: 2_000 }, (_, n) => put(`${n}`, `kind ${n % 1_000}`)));
    const find = async (...kinds: string[]) =>
      (await rows.find({ where: { kind: { in: kinds } }, limit: 10 })).map(({ id }) => id).sort();
    expect(await find('kind 7')).toEqual(['1007', '7']);
    await rows.write([put('7', 'kind 8'), put('8', 'kind 9'), { kind: 'forget', id: '1008' }, put('1009', 'other')]);
    expect([await find('kind 7'), await find('kind 8'), await find('kind 9', 'kind 7')]).toEqual([
      ['1007'],
      ['7'],
      ['1007', '8', '9'],
    ]);
    expect(inFile(definition)).toEqual([]);
    await engines.documents.persist();
    expect([await find('kind 7'), await find('kind 8')]).toEqual([['1007'], ['7']]);
    await rows.write([put('1007', 'kind 8')]);
    expect([await find('kind 7'), await find('kind 8')]).toEqual([[], ['1007', '7']]);
  });

  it('are written before what follows them in order and is written at once', async () => {
    const [first, second] = [define('first'), { name: unique('at_once'), indexes: [] }];
    const part = (collection: CollectionDefinition<object>) => ({ collection, writes: [put('a', 1)] });
    await engines.documents.writeInOrder([[part(first)], [part(second)]]);
    expect([inFile(first).length, inFile(second).length]).toEqual([1, 1]);
  });

  it('are searched in the file where many wait, which writes them and no others', async () => {
    const [definition, other] = [define('first'), define('first')];
    const [rows, others] = [definition, other].map((one) => engines.documents.collection(one));
    await rows!.write(Array.from({ length: 3_000 }, (_, n) => put(`${n}`, n)));
    await others!.write([put('a', 1)]);
    const find = () => rows!.find({ where: { n: { gte: 0 } }, order: [['n', 'desc']], limit: 2 });
    expect((await find()).map(({ id }) => id)).toEqual(['2999', '2998']);
    expect([inFile(definition).length, inFile(other).length]).toEqual([3_000, 0]);
    await rows!.merge(['7', 'b'], (current) => ({ n: (current?.n ?? 0) + 10_000 }));
    expect((await find()).map(({ id }) => id)).toEqual(['7', 'b']);
    await rows!.write(Array.from({ length: 3_000 }, (_, n) => put(`${n}`, n + 10_000)));
    expect(await rows!.count({ n: { gte: 10_000 } })).toBe(3_001);
  });

  it('are written once where several callers wait for them', async () => {
    const definition = define('first');
    const rows = engines.documents.collection(definition);
    const write = (part: number) => rows.write(Array.from({ length: 600 }, (_, n) => put(`${part}-${n}`, n)));
    const search = (n: number) => rows.find({ where: { n }, limit: 10 });
    await write(0);
    const searched = [search(0), search(1), engines.documents.persist()];
    await write(1);
    await Promise.all([...searched, search(2), engines.documents.persist(), search(3)]);
    const written = inFile(definition);
    expect(written).toHaveLength(1_200);
    expect(new Set(written.map(({ rev }) => rev))).toEqual(new Set([1]));
  });

  it('are read from the file again after they were written', async () => {
    const definition = define('last');
    const rows = engines.documents.collection(definition);
    await rows.write([put('a', 1)]);
    await engines.documents.persist();
    const db = new DatabaseSync(join(folder, 'derived.db'));
    db.exec(`UPDATE documents_${definition.name} SET doc = '{"n":7}'`);
    db.close();
    await engines.documents.persist();
    expect(await rows.get('a')).toEqual({ n: 7 });
  });

  it('are all in the file when it is closed', async () => {
    const definition = define('first');
    await engines.documents.collection(definition).write(Array.from({ length: 1_200 }, (_, n) => put(`${n}`, n)));
    await engines.close();
    expect(inFile(definition)).toHaveLength(1_200);
    engines = await openOn(folder);
    expect(await engines.documents.collection(definition).count({ n: { gte: 0 } })).toBe(1_200);
  });
});

it('writes neither dependent documents nor positions while rows cannot be written, and writes all of them later', async () => {
  let full = true;
  const written: Operation[] = [];
  const submit = (operation: Operation) => {
    const ofRows = operation.kind === 'rows' && operation.rows.some(({ table }) => table === 'rows');
    if (full && ofRows) return Promise.reject(new StoreFull('no room'));
    written.push(operation);
    return Promise.resolve(null);
  };
  let synced: number | null = null;
  const writes = { submit, sync: () => Promise.resolve() } as unknown as WriteQueue;
  const lasting = { sync: () => Promise.resolve(void (synced = written.length)) };
  const behind = new WriteBehind({} as Reader, writes, lasting, () => undefined);
  behind.defer('marks', 'last');
  behind.defer('rows', 'first');
  behind.set('marks', 'a', { seq: 1, doc: '{}' });
  behind.set('rows', 'a', { seq: 1, doc: '{}' });
  const position = { consumers: 'group', position: 7, id: 'commit' };
  behind.setPosition(position);
  await expect(behind.flush()).rejects.toThrow('no room');
  expect(written).toEqual([]);
  expect([behind.pending('rows')?.size, behind.pending('marks')?.size, behind.position('group')]).toEqual([1, 1, 7]);
  full = false;
  behind.set('marks', 'a', { seq: 2, doc: '{}' });
  await behind.close();
  const results = written.map((one) =>
    one.kind === 'rows' ? one.rows.map(({ table, cells }) => [table, cells[1]]) : one,
  );
  expect(results).toEqual([[['rows', 1]], [['marks', 2]], { kind: 'positions', positions: [position] }]);
  // The writes of consumers to the other file are on disk before their position is.
  expect(synced).toBe(2);
  expect([behind.pending('rows'), behind.pending('marks'), behind.position('group')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('submits all rows of a batch in one turn, so that they are one transaction', async () => {
  const turns = new Set<number>();
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  const submit = () => Promise.resolve(void turns.add(turn));
  const writes = { submit, sync: () => Promise.resolve() } as unknown as WriteQueue;
  const behind = new WriteBehind({} as Reader, writes, { sync: () => Promise.resolve() }, () => undefined);
  behind.defer('rows', 'first');
  for (let n = 0; n < 3_000; n += 1) behind.set('rows', `${n}`, { seq: 1, doc: '{}' });
  await behind.close();
  clearImmediate(next);
  expect(turns.size).toBe(1);
});

it('lets an owner with many pending bytes wait for the writer before it lets others', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const writes = { submit: () => held, sync: () => Promise.resolve() } as unknown as WriteQueue;
  const behind = new WriteBehind({} as Reader, writes, { sync: () => Promise.resolve() }, () => undefined);
  behind.defer('rows', 'first');
  const happened: string[] = [];
  const waits = (owner: string) => workFor(owner, () => behind.waitForSpace()).then(() => happened.push(owner));
  const doc = 'x'.repeat(1024 * 1024);
  workFor('busy', () => {
    for (let n = 0; n < 20; n += 1) behind.set('rows', `busy ${n}`, { seq: 1, doc });
  });
  workFor('other', () => behind.set('rows', 'other', { seq: 1, doc }));
  const busy = waits('busy');
  await Promise.all([waits('other'), waits('')]);
  happened.push('released');
  release();
  await busy;
  expect(happened).toEqual(['other', '', 'released', 'busy']);
  await behind.close();
});
