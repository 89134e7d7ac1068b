import type { Collection, Documents } from '@assurance/storage-ports';
import { unique } from '../harness';

interface Counter {
  readonly all: string;
  readonly count: number;
  readonly by?: readonly number[];
}

const AT_ONCE = 32;

export function merges(documents: () => Documents): void {
  const open = (): Collection<Counter> =>
    documents().collection<Counter>({
      name: unique('counters'),
      indexes: [
        {
          name: 'by_count',
          fields: [
            ['all', 'asc'],
            ['count', 'asc'],
          ],
        },
      ],
    });
  const plus = (current: Counter | null): Counter => ({ ...current, all: 'all', count: (current?.count ?? 0) + 1 });
  const counts = async (counters: Collection<Counter>) =>
    (await counters.find({ where: { all: 'all' }, order: [['count', 'asc']], limit: 100 })).map(({ id, doc }) => [
      id,
      doc.count,
    ]);

  it('changes what is there and makes what is not, telling the function which', async () => {
    const counters = open();
    await counters.write([{ kind: 'put', id: 'a', doc: { all: 'all', count: 7 } }]);
    await counters.merge(['a', 'b'], (current, id) => {
      expect(current).toEqual(id === 'a' ? { all: 'all', count: 7 } : null);
      return plus(current);
    });
    expect(await counts(counters)).toEqual([
      ['b', 1],
      ['a', 8],
    ]);
  });

  it('leaves a document as it is where the function gives undefined', async () => {
    const counters = open();
    await counters.write([{ kind: 'put', id: 'a', doc: { all: 'all', count: 7 } }]);
    await counters.merge(['a', 'b'], () => undefined);
    expect(await counts(counters)).toEqual([['a', 7]]);
    expect(await counters.get('b')).toBeNull();
  });

  it('takes an id that is given twice once', async () => {
    const counters = open();
    await counters.merge(['a', 'a', 'b', 'a'], plus);
    expect(await counts(counters)).toEqual(
      expect.arrayContaining([
        ['a', 1],
        ['b', 1],
      ]),
    );
  });

  it(`loses none of ${AT_ONCE} merges of one document at once`, async () => {
    const counters = open();
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) =>
        counters.merge(['one'], (current) => ({ ...plus(current), by: [...(current?.by ?? []), i] })),
      ),
    );
    const counter = await counters.get('one');
    expect(counter?.count).toBe(AT_ONCE);
    expect([...(counter?.by ?? [])].sort((a, b) => a - b)).toEqual(Array.from({ length: AT_ONCE }, (_, i) => i));
    expect(await counts(counters)).toEqual([['one', AT_ONCE]]);
  });

  it('loses none where merges of several documents cross', async () => {
    const counters = open();
    const ids = ['a', 'b', 'c', 'd'];
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) => counters.merge(i % 2 === 0 ? ids : [...ids].reverse(), plus)),
    );
    for (const id of ids) expect((await counters.get(id))?.count).toBe(AT_ONCE);
  });

  it('mixes with writes at once so that each is there whole or was written over', async () => {
    const counters = open();
    const put = (count: number) => counters.write([{ kind: 'put', id: 'one', doc: { all: 'all', count } }]);
    await put(0);
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) => (i === AT_ONCE / 2 ? put(1_000) : counters.merge(['one'], plus))),
    );
    // All merges add 1. The put overwrites earlier merges, and later merges add to its value.
    const { count } = (await counters.get('one'))!;
    expect(count).toBeGreaterThanOrEqual(1_000);
    expect(count).toBeLessThan(1_000 + AT_ONCE);
  });

  it('keeps the seq that a forward gave', async () => {
    const counters = open();
    await counters.write([{ kind: 'forward', id: 'a', seq: 5, doc: { all: 'all', count: 5 } }]);
    await counters.merge(['a'], plus);
    for (const seq of [4, 5]) await counters.write([{ kind: 'forward', id: 'a', seq, doc: { all: 'all', count: 0 } }]);
    expect(await counts(counters)).toEqual([['a', 6]]);
    await counters.write([{ kind: 'forward', id: 'a', seq: 6, doc: { all: 'all', count: 60 } }]);
    expect(await counts(counters)).toEqual([['a', 60]]);
  });

  it('takes a removed document for nothing', async () => {
    const counters = open();
    await counters.write([{ kind: 'forward', id: 'a', seq: 5, doc: { all: 'all', count: 5 } }]);
    await counters.write([{ kind: 'remove', id: 'a', seq: 6 }]);
    await counters.merge(['a'], (current) => {
      expect(current).toBeNull();
      return undefined;
    });
    expect(await counters.get('a')).toBeNull();
    await counters.merge(['a'], plus);
    expect(await counts(counters)).toEqual([['a', 1]]);
  });

  it('tells what the function threw, and changes nothing there', async () => {
    const counters = open();
    await counters.merge(['a'], plus);
    const refusal = new Error('no');
    await expect(
      counters.merge(['a'], () => {
        throw refusal;
      }),
    ).rejects.toBe(refusal);
    expect(await counts(counters)).toEqual([['a', 1]]);
    await counters.merge(['a'], plus);
    expect(await counts(counters)).toEqual([['a', 2]]);
  });

  it('takes 1,000 ids a call', async () => {
    const counters = open();
    const ids = Array.from({ length: 1_000 }, (_, i) => `id-${i}`);
    await counters.merge(ids, plus);
    await counters.merge(ids, plus);
    expect(await counters.count({ all: 'all' })).toBe(1_000);
    expect(await counters.count({ all: 'all', count: 2 })).toBe(1_000);
  });
}
