import type { Collection, Documents } from '@assurance/storage-ports';
import { unique } from '../harness';

interface Item {
  readonly all: string;
  readonly name: string;
}

const AT_ONCE = 32;

export function forwards(documents: () => Documents): void {
  const open = (): Collection<Item> =>
    documents().collection<Item>({
      name: unique('heads'),
      indexes: [
        {
          name: 'by_name',
          fields: [
            ['all', 'asc'],
            ['name', 'asc'],
          ],
        },
      ],
    });
  const itemOf = (name: string): Item => ({ all: 'all', name });
  const forward = (id: string, seq: number, name = `at ${seq}`) =>
    ({ kind: 'forward', id, seq, doc: itemOf(name) }) as const;
  const remove = (id: string, seq: number) => ({ kind: 'remove', id, seq }) as const;
  const listed = async (items: Collection<Item>) =>
    (await items.find({ where: { all: 'all' }, order: [['name', 'asc']], limit: 100 })).map(({ doc }) => doc.name);

  it('only goes forward, and an older or equal seq is a success that changes nothing', async () => {
    const items = open();
    await items.write([forward('a', 5)]);
    await items.write([forward('a', 4)]);
    await items.write([forward('a', 5, 'again')]);
    expect(await items.get('a')).toEqual(itemOf('at 5'));
    expect(await listed(items)).toEqual(['at 5']);
    await items.write([forward('a', 6)]);
    expect(await items.get('a')).toEqual(itemOf('at 6'));
    expect(await listed(items)).toEqual(['at 6']);
  });

  it('does not stop the other writes of a call where one is behind', async () => {
    const items = open();
    await items.write([forward('a', 5), forward('b', 5)]);
    await items.write([forward('a', 4), forward('c', 1), forward('b', 6), remove('d', 1)]);
    expect(await listed(items)).toEqual(['at 1', 'at 5', 'at 6']);
  });

  it('ends with the newest, whatever order they come in', async () => {
    const items = open();
    await items.write([2, 1, 3].map((seq) => forward('one call', seq)));
    expect(await items.get('one call')).toEqual(itemOf('at 3'));
    const seqs = Array.from({ length: AT_ONCE }, (_, i) => ((i * 13) % AT_ONCE) + 1);
    await Promise.all(seqs.map((seq) => items.write([forward('at once', seq)])));
    expect(await items.get('at once')).toEqual(itemOf(`at ${AT_ONCE}`));
  });

  it('ends with the newest also where several are the first to write a document', async () => {
    const items = open();
    const ids = Array.from({ length: 60 }, (_, i) => `id-${i}`);
    for (const id of ids) await Promise.all([2, 4, 1, 3].map((seq) => items.write([forward(id, seq)])));
    const all = await items.getMany(ids);
    expect([...all.values()].filter(({ name }) => name !== 'at 4')).toEqual([]);
    expect(all.size).toBe(ids.length);
  });

  it('leaves nothing to be found after a remove', async () => {
    const items = open();
    await items.write([forward('a', 1), forward('b', 2)]);
    await items.write([remove('a', 2)]);
    expect(await items.get('a')).toBeNull();
    expect([...(await items.getMany(['a', 'b'])).keys()]).toEqual(['b']);
    expect(await listed(items)).toEqual(['at 2']);
    expect(await items.count({ all: 'all' })).toBe(1);
  });

  it('brings nothing back by a late forward, and does by a newer one', async () => {
    const items = open();
    await items.write([forward('a', 4)]);
    await items.write([remove('a', 5), remove('never there', 5)]);
    for (const seq of [3, 4, 5]) await items.write([forward('a', seq), forward('never there', seq)]);
    expect(await items.get('a')).toBeNull();
    expect(await items.get('never there')).toBeNull();
    expect(await listed(items)).toEqual([]);
    await items.write([forward('a', 6)]);
    expect(await items.get('a')).toEqual(itemOf('at 6'));
    expect(await listed(items)).toEqual(['at 6']);
  });

  it('removes nothing newer', async () => {
    const items = open();
    await items.write([forward('a', 6)]);
    await items.write([remove('a', 5)]);
    expect(await items.get('a')).toEqual(itemOf('at 6'));
    await items.write([remove('a', 7)]);
    expect(await items.get('a')).toBeNull();
  });

  it('forgets a document with its seq, whether it is there or not', async () => {
    const items = open();
    await items.write([forward('a', 6), forward('b', 6), forward('c', 6)]);
    await items.write([remove('b', 7)]);
    await items.write(['a', 'b', 'never there'].map((id) => ({ kind: 'forget', id })));
    expect(await items.get('a')).toBeNull();
    expect([...(await items.getMany(['a', 'b', 'c'])).keys()]).toEqual(['c']);
    expect(await listed(items)).toEqual(['at 6']);
    expect(await items.count({ all: 'all' })).toBe(1);
    expect((await items.scan(null, 10)).documents.map(({ id }) => id)).toEqual(['c']);
    await items.merge(['a'], (item) => (item === null ? itemOf('merged') : item));
    await items.write([forward('b', 1)]);
    expect(await listed(items)).toEqual(['at 1', 'at 6', 'merged']);
    await items.write([forward('a', 1, 'first')]);
    expect(await items.get('a')).toEqual(itemOf('first'));
  });

  it('replaces any existing document, and keeps the seq', async () => {
    const items = open();
    await items.write([forward('a', 5), forward('b', 5), forward('c', 5)]);
    await items.write([remove('b', 6)]);
    await items.write(['a', 'b', 'new'].map((id) => ({ kind: 'put', id, doc: itemOf(`put ${id}`) })));
    expect(await listed(items)).toEqual(['at 5', 'put a', 'put b', 'put new']);
    await items.write([forward('a', 5), forward('b', 6), forward('c', 4)]);
    expect(await listed(items)).toEqual(['at 5', 'put a', 'put b', 'put new']);
    await items.write([forward('a', 6), forward('b', 7, 'at 7'), forward('new', 1)]);
    expect(await listed(items)).toEqual(['at 1', 'at 5', 'at 6', 'at 7']);
  });
}
