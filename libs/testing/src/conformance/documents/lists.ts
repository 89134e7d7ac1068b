import { pieces } from '@assurance/kernel';
import {
  type Collection,
  type Documents,
  getAll,
  pagesBy,
  pagesInOrder,
  type Query,
  UnindexedQuery,
} from '@assurance/storage-ports';
import { unique } from '../harness';

interface Row {
  readonly org: string;
  readonly at: number;
  readonly name: string;
  readonly note?: string;
}

export function lists(documents: () => Documents): void {
  const open = (): Collection<Row> =>
    documents().collection<Row>({
      name: unique('lists'),
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
            ['name', 'asc'],
          ],
        },
      ],
    });

  it('pages through documents that sort alike, each once', async () => {
    const rows = open();
    await rows.write(
      Array.from({ length: 50 }, (_, i) => ({
        kind: 'put',
        id: `id-${i}`,
        doc: { org: 'o', at: i % 3, name: 'same' },
      })),
    );
    const seen: string[] = [];
    for (let skip = 0; skip < 50; skip += 7) {
      const page = await rows.find({ where: { org: 'o' }, order: [['at', 'desc']], skip, limit: 7 });
      seen.push(...page.map(({ id }) => id));
    }
    expect(seen).toHaveLength(50);
    expect(new Set(seen).size).toBe(50);
  });

  it.each([1, 7, 50, 51])('gives all of a condition by a key, in pages of %i, each once', async (limit) => {
    const rows = open();
    const names = Array.from({ length: 50 }, (_, i) => `name-${String(i).padStart(2, '0')}`);
    const put = (id: string, org: string, name: string) => ({ kind: 'put' as const, id, doc: { org, at: 1, name } });
    await rows.write([...names.map((name) => put(name, 'o', name)), put('x', 'other', 'x')]);
    const sizes: number[] = [];
    const seen: string[] = [];
    for await (const page of pagesBy(rows, { org: 'o' }, 'name', limit)) {
      sizes.push(page.length);
      seen.push(...page.map(({ doc }) => doc.name));
      // By position, a row that is inserted before would repeat the last row of a page.
      await rows.write([put(`new-${seen.length}`, 'o', `before-${seen.length}`)]);
    }
    expect(seen).toEqual(names);
    expect(Math.max(...sizes)).toBe(Math.min(limit, 50));
    for await (const page of pagesBy(rows, { org: 'nobody' }, 'name', limit)) expect(page).toBe('never empty');
  });

  it.each(['asc', 'desc'] as const)(
    'gives all of a query in its order (%s), in pages, each once',
    async (direction) => {
      const rows = open();
      const back = direction === 'asc' ? 'desc' : 'asc';
      // Some times have more documents than a page.
      const docs = Array.from({ length: 60 }, (_, i) => ({
        org: 'o',
        at: [1, 2, 2, 7, 7, 7][i % 6]!,
        name: `name-${i}`,
      }));
      const outside = [0, 8].map((at) => ({ org: 'o', at, name: `at-${at}` }));
      const put = (doc: Row) => ({ kind: 'put' as const, id: `${doc.org}/${doc.name}`, doc });
      await rows.write([...docs, ...outside, { org: 'other', at: 2, name: 'other' }].map(put));
      const order = [
        ['at', direction],
        ['name', back],
      ] as const;
      const sorted = docs.toSorted((a, b) => a.at - b.at || (a.name < b.name ? 1 : -1)).map(({ name }) => name);
      if (direction === 'desc') sorted.reverse();
      for (const limit of [1, 7, 10, 59, 60, 61]) {
        const queries: Query[] = [];
        const find = (query: Query) => {
          queries.push(query);
          return rows.find(query);
        };
        const seen: string[] = [];
        for await (const page of pagesInOrder(
          { find },
          { where: { org: 'o', at: { gte: 1, lte: 7 } }, order },
          limit,
        )) {
          seen.push(...page.map(({ doc }) => doc.name));
          expect(page.length).toBeLessThanOrEqual(limit);
          // By offset, what comes in before would give the last of a page again.
          await rows.write([
            put({ org: 'o', at: direction === 'asc' ? 0 : 8, name: `before-${limit}-${seen.length}` }),
          ]);
        }
        expect(seen).toEqual(sorted);
        // 30 documents have one time: no offset counts those of other times.
        expect(Math.max(...queries.map(({ skip = 0 }) => skip))).toBeLessThanOrEqual(30);
      }
      const all: string[] = [];
      for await (const page of pagesInOrder(rows, { where: { org: 'o' }, order }, 9))
        all.push(...page.map(({ id }) => id));
      expect(all).toHaveLength(await rows.count({ org: 'o' }));
      expect(new Set(all).size).toBe(all.length);
    },
  );

  it('gets documents by id, however many are asked for, and leaves out what is not there', async () => {
    const rows = open();
    const ids = Array.from({ length: 2_300 }, (_, i) => `id-${i}`);
    const keptIds = ids.filter((_, i) => i % 3 > 0);
    for (const some of pieces(keptIds, 500)) {
      await rows.write(some.map((id) => ({ kind: 'put', id, doc: { org: 'o', at: 1, name: id } })));
    }
    const results = await getAll(rows, [...ids, 'id-1']);
    expect([...results.keys()].sort()).toEqual([...keptIds].sort());
    expect(results.get('id-1')).toMatchObject({ name: 'id-1' });
  });

  it('orders strings by their UTF-8 bytes', async () => {
    const rows = open();
    // By UTF-16 the emoji would come before U+FF5E; by a collation the letters would mix.
    const names = ['', ' ', '!', '10', '9', 'A', 'Z', '_', 'a', 'a ', 'aa', 'b', 'z', '\u00e4', '\uff5e', '\u{1f600}'];
    await rows.write([...names].reverse().map((name) => ({ kind: 'put', id: name, doc: { org: 'o', at: 1, name } })));
    const results = await rows.find({ where: { org: 'o' }, order: [['name', 'asc']], limit: 100 });
    expect(results.map(({ doc }) => doc.name)).toEqual(names);
    const back = await rows.find({ where: { org: 'o' }, order: [['name', 'desc']], limit: 100 });
    expect(back.map(({ doc }) => doc.name)).toEqual([...names].reverse());
    const range = await rows.find({ where: { org: 'o', name: { gte: 'Z', lte: 'aa' } }, limit: 100 });
    expect(range.map(({ doc }) => doc.name).sort()).toEqual(['Z', '_', 'a', 'a ', 'aa']);
  });

  it('finds a document where it is now, not where it was', async () => {
    const rows = open();
    const doc: Row = { org: 'o', at: 1, name: 'n' };
    await rows.write([{ kind: 'put', id: 'a', doc }]);
    await rows.write([{ kind: 'put', id: 'a', doc: { ...doc, at: 2 } }]);
    await rows.merge(['a'], (current) => ({ ...current!, org: 'p' }));
    expect(await rows.count({ org: 'o' })).toBe(0);
    expect(await rows.find({ where: { org: 'p', at: 2 }, limit: 10 })).toEqual([
      { id: 'a', doc: { org: 'p', at: 2, name: 'n' } },
    ]);
  });

  it('refuses what no index covers, whatever is stored', async () => {
    const rows = open();
    const uncovered: readonly Omit<Query, 'limit'>[] = [
      { where: { note: 'x' } },
      { where: { name: 'x' } },
      { where: { org: 'o' }, order: [['note', 'asc']] },
      {
        where: { org: 'o' },
        order: [
          ['at', 'asc'],
          ['name', 'asc'],
        ],
      },
      { where: { at: { gte: 1 }, name: { gte: 'a' }, org: 'o' } },
    ];
    for (const query of uncovered) {
      await expect(rows.find({ ...query, limit: 10 })).rejects.toBeInstanceOf(UnindexedQuery);
    }
    await expect(rows.count({ note: 'x' })).rejects.toBeInstanceOf(UnindexedQuery);
  });

  it('serves an index from its front on, forwards and backwards', async () => {
    const rows = open();
    await rows.write([1, 2].map((at) => ({ kind: 'put', id: `${at}`, doc: { org: 'o', at, name: `n${at}` } })));
    const ids = async (order: readonly (readonly [string, 'asc' | 'desc'])[]) =>
      (await rows.find({ where: { org: 'o' }, order, limit: 10 })).map(({ id }) => id);
    expect(
      await ids([
        ['at', 'desc'],
        ['name', 'asc'],
      ]),
    ).toEqual(['2', '1']);
    expect(
      await ids([
        ['at', 'asc'],
        ['name', 'desc'],
      ]),
    ).toEqual(['1', '2']);
    expect(await ids([['at', 'asc']])).toEqual(['1', '2']);
  });
}
