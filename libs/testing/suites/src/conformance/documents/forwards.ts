import type { Collection, Documents } from '@assurance/storage-ports';
import { unique } from '../harness';

interface Head {
  readonly all: string;
  readonly name: string;
}

const AT_ONCE = 32;

export function forwards(documents: () => Documents): void {
  const open = (): Collection<Head> =>
    documents().collection<Head>({
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
  const head = (name: string): Head => ({ all: 'all', name });
  const forward = (id: string, seq: number, name = `at ${seq}`) =>
    ({ kind: 'forward', id, seq, doc: head(name) }) as const;
  const remove = (id: string, seq: number) => ({ kind: 'remove', id, seq }) as const;
  const listed = async (heads: Collection<Head>) =>
    (await heads.find({ where: { all: 'all' }, order: [['name', 'asc']], limit: 100 })).map(({ doc }) => doc.name);

  it('only goes forward, and an older or equal seq is a success that changes nothing', async () => {
    const heads = open();
    await heads.write([forward('a', 5)]);
    await heads.write([forward('a', 4)]);
    await heads.write([forward('a', 5, 'again')]);
    expect(await heads.get('a')).toEqual(head('at 5'));
    expect(await listed(heads)).toEqual(['at 5']);
    await heads.write([forward('a', 6)]);
    expect(await heads.get('a')).toEqual(head('at 6'));
    expect(await listed(heads)).toEqual(['at 6']);
  });

  it('does not stop the other writes of a call where one is behind', async () => {
    const heads = open();
    await heads.write([forward('a', 5), forward('b', 5)]);
    await heads.write([forward('a', 4), forward('c', 1), forward('b', 6), remove('d', 1)]);
    expect(await listed(heads)).toEqual(['at 1', 'at 5', 'at 6']);
  });

  it('ends with the newest, whatever order they come in', async () => {
    const heads = open();
    await heads.write([2, 1, 3].map((seq) => forward('one call', seq)));
    expect(await heads.get('one call')).toEqual(head('at 3'));
    const seqs = Array.from({ length: AT_ONCE }, (_, i) => ((i * 13) % AT_ONCE) + 1);
    await Promise.all(seqs.map((seq) => heads.write([forward('at once', seq)])));
    expect(await heads.get('at once')).toEqual(head(`at ${AT_ONCE}`));
  });

  it('ends with the newest also where several are the first to write a document', async () => {
    const heads = open();
    const ids = Array.from({ length: 60 }, (_, i) => `id-${i}`);
    for (const id of ids) await Promise.all([2, 4, 1, 3].map((seq) => heads.write([forward(id, seq)])));
    const all = await heads.getMany(ids);
    expect([...all.values()].filter(({ name }) => name !== 'at 4')).toEqual([]);
    expect(all.size).toBe(ids.length);
  });

  it('leaves nothing to be found after a remove', async () => {
    const heads = open();
    await heads.write([forward('a', 1), forward('b', 2)]);
    await heads.write([remove('a', 2)]);
    expect(await heads.get('a')).toBeNull();
    expect([...(await heads.getMany(['a', 'b'])).keys()]).toEqual(['b']);
    expect(await listed(heads)).toEqual(['at 2']);
    expect(await heads.count({ all: 'all' })).toBe(1);
  });

  it('brings nothing back by a late forward, and does by a newer one', async () => {
    const heads = open();
    await heads.write([forward('a', 4)]);
    await heads.write([remove('a', 5), remove('never there', 5)]);
    for (const seq of [3, 4, 5]) await heads.write([forward('a', seq), forward('never there', seq)]);
    expect(await heads.get('a')).toBeNull();
    expect(await heads.get('never there')).toBeNull();
    expect(await listed(heads)).toEqual([]);
    await heads.write([forward('a', 6)]);
    expect(await heads.get('a')).toEqual(head('at 6'));
    expect(await listed(heads)).toEqual(['at 6']);
  });

  it('removes nothing newer', async () => {
    const heads = open();
    await heads.write([forward('a', 6)]);
    await heads.write([remove('a', 5)]);
    expect(await heads.get('a')).toEqual(head('at 6'));
    await heads.write([remove('a', 7)]);
    expect(await heads.get('a')).toBeNull();
  });

  it('forgets a document with its seq, whether it is there or not', async () => {
    const heads = open();
    await heads.write([forward('a', 6), forward('b', 6), forward('c', 6)]);
    await heads.write([remove('b', 7)]);
    await heads.write(['a', 'b', 'never there'].map((id) => ({ kind: 'forget', id })));
    expect(await heads.get('a')).toBeNull();
    expect([...(await heads.getMany(['a', 'b', 'c'])).keys()]).toEqual(['c']);
    expect(await listed(heads)).toEqual(['at 6']);
    expect(await heads.count({ all: 'all' })).toBe(1);
    expect((await heads.scan(null, 10)).found.map(({ id }) => id)).toEqual(['c']);
    await heads.merge(['a'], (known) => (known === null ? head('merged') : known));
    await heads.write([forward('b', 1)]);
    expect(await listed(heads)).toEqual(['at 1', 'at 6', 'merged']);
    await heads.write([forward('a', 1, 'first')]);
    expect(await heads.get('a')).toEqual(head('first'));
  });

  it('puts over whatever is there, and keeps the seq', async () => {
    const heads = open();
    await heads.write([forward('a', 5), forward('b', 5), forward('c', 5)]);
    await heads.write([remove('b', 6)]);
    await heads.write(['a', 'b', 'new'].map((id) => ({ kind: 'put', id, doc: head(`put ${id}`) })));
    expect(await listed(heads)).toEqual(['at 5', 'put a', 'put b', 'put new']);
    await heads.write([forward('a', 5), forward('b', 6), forward('c', 4)]);
    expect(await listed(heads)).toEqual(['at 5', 'put a', 'put b', 'put new']);
    await heads.write([forward('a', 6), forward('b', 7, 'at 7'), forward('new', 1)]);
    expect(await listed(heads)).toEqual(['at 1', 'at 5', 'at 6', 'at 7']);
  });
}
