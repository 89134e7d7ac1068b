import { countedPage, type CountedRows } from '@assurance/event-sourcing/projection/days/read';
import { periodCounts, revise } from '@assurance/event-sourcing/projection/days/revisions';
import type { Collection, CollectionDefinition, Document, Documents } from '@assurance/storage-ports';
import fc from 'fast-check';
import { scheduleOperations } from '../support/interleaved';
import { temporaryEngines } from '../support/temporary-engines';

interface Row {
  readonly list: string;
  readonly at: number;
  readonly name: number;
}

const DAY = 86_400;
const byDays: CountedRows<Row> = {
  rows: {
    name: 'counted_rows',
    indexes: [
      {
        name: 'by_list',
        fields: [
          ['list', 'asc'],
          ['at', 'desc'],
          ['name', 'asc'],
        ],
      },
    ],
  },
  periods: periodCounts('counted_rows_counts'),
  moment: 'at',
  order: [
    ['at', 'desc'],
    ['name', 'asc'],
  ],
};

const byQuarters: CountedRows<Row> = {
  ...byDays,
  periods: periodCounts('quartered_rows_counts'),
  quarters: { counts: { name: 'quartered_rows_quarters', indexes: [] }, many: 2 },
};

/** Moments of a few days, in two periods. */
const moment = fc
  .tuple(fc.constantFrom(31, 32), fc.constantFrom(0, 7, 899.999, 900, 40_000, DAY - 0.001))
  .map(([day, seconds]) => day * DAY + seconds);
const always = { start: 0, end: 70 * DAY };

describe.each([
  ['days', byDays],
  ['days and quarters of an hour', byQuarters],
])('counts by %s', (_, counted) => {
  const engines = temporaryEngines();
  let run = 0;

  /** Moves a row into a list, as a handler does. */
  async function move(documents: Documents, id: string, row: Row, from: string): Promise<void> {
    await documents.collection(counted.rows).write([{ kind: 'put', id, doc: row }]);
    await revise(documents, counted, [
      [from, row.at],
      [row.list, row.at],
    ]);
  }

  const read = (documents: Documents, lists: readonly string[], window = always, page = 1, perPage = 2) =>
    countedPage(
      documents,
      counted,
      { lists: lists.map((key) => ({ key, where: { list: key } })), where: { list: { in: lists } }, window },
      { page, perPage },
    );

  it('are right in the end, also with counts while rows came and went', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(moment, { minLength: 1, maxLength: 8 }),
        fc.tuple(moment, moment),
        fc.scheduler(),
        async (moments, [a, b], scheduler) => {
          run += 1;
          const [firstEnv, secondEnv] = [`${run}-one`, `${run}-two`];
          const documents = scheduleOperations(engines().documents, scheduler);
          for (const [name, at] of moments.slice(0, moments.length / 2).entries()) {
            await move(engines().documents, `${run}/${name}`, { list: firstEnv, at, name }, firstEnv);
          }
          for (let again = 0; again < 2; again += 1) await read(engines().documents, [firstEnv]);
          const handlers = [0, 1].map(async (handler) => {
            for (const [name, at] of moments.entries()) {
              if (name % 2 !== handler) continue;
              await move(documents, `${run}/${name}`, { list: firstEnv, at, name }, firstEnv);
              if (handler === 1) await move(documents, `${run}/${name}`, { list: secondEnv, at, name }, firstEnv);
            }
          });
          const readers = [[firstEnv], [firstEnv, secondEnv]].map(async (lists) => {
            for (let again = 0; again < 6; again += 1) await read(documents, lists);
          });
          await scheduler.waitFor(Promise.all([...handlers, ...readers]));

          const rows = moments.map((at, name): Row => ({ list: name % 2 === 1 ? secondEnv : firstEnv, at, name }));
          rows.sort((x, y) => y.at - x.at || x.name - y.name);
          for (const window of [always, { start: Math.min(a, b), end: Math.max(a, b) }]) {
            for (const lists of [[firstEnv], [secondEnv], [firstEnv, secondEnv], []]) {
              const counted = rows.filter(
                ({ list, at }) => lists.includes(list) && at >= window.start && at <= window.end,
              );
              for (const page of [1, 2, 3, 4]) {
                const { documents: rows, count } = await read(engines().documents, lists, window, page);
                expect([count, rows.map(({ doc }) => doc)]).toEqual([
                  counted.length,
                  counted.slice(page * 2 - 2, page * 2),
                ]);
              }
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  /** The store, where counts and merges are done in another way. */
  function changed(
    change: (inner: Collection<Document>) => Partial<Pick<Collection<Document>, 'count' | 'merge'>>,
  ): Documents {
    return {
      writeInOrder: (steps) => engines().documents.writeInOrder(steps),
      persist: () => engines().documents.persist(),
      drop: (definition) => engines().documents.drop(definition),
      collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T> {
        const inner = engines().documents.collection(definition);
        return {
          get: (id) => inner.get(id),
          getMany: (ids) => inner.getMany(ids),
          write: (writes) => inner.write(writes),
          find: (query) => inner.find(query),
          scan: (after, limit) => inner.scan(after, limit),
          count: (where) => inner.count(where),
          merge: (ids, how) => inner.merge(ids, how),
          ...change(inner as unknown as Collection<Document>),
        } as Collection<T>;
      },
    };
  }

  it('do not cache a count that a row has overtaken', async () => {
    const list = 'overtaken';
    const put = (name: number) => move(engines().documents, `${list}/${name}`, { list, at: 3 * DAY, name }, list);
    await put(1);
    let names = 1;
    const overtaken = changed((inner) => ({
      count: async (where) => {
        const count = await inner.count(where);
        await put((names += 1));
        return count;
      },
    }));
    for (let again = 0; again < 3; again += 1) await read(overtaken, [list]);
    expect((await read(engines().documents, [list])).count).toBe(names);
    expect(names).toBeGreaterThan(3);
  });

  it('are right after counts between the revisions of one row', async () => {
    const list = 'between';
    const between = changed((inner) => ({
      merge: async (ids, how) => {
        await inner.merge(ids, how);
        await read(engines().documents, [list]);
      },
    }));
    for (const name of [1, 2, 3]) await move(between, `${list}/${name}`, { list, at: 3 * DAY, name }, list);
    expect((await read(engines().documents, [list])).count).toBe(3);
  });

  /** The moments from which rows were counted since it was last called, ascending. */
  function watching(): { readonly documents: Documents; readonly asked: () => number[] } {
    const from: number[] = [];
    const documents = changed((inner) => ({
      count: (where) => {
        from.push((where['at'] as { readonly gte: number }).gte);
        return inner.count(where);
      },
    }));
    return { documents, asked: () => from.splice(0).sort((a, b) => a - b) };
  }

  const put = (list: string, at: number, name: number) =>
    move(engines().documents, `${list}/${name}`, { list, at, name }, list);

  it('count rows only in changed days and in days with rows at the ends of the window', async () => {
    const list = 'watched';
    const day = (n: number) => n * DAY + 7;
    const { documents, asked: readCounts } = watching();
    const days = () => readCounts().map((from) => Math.floor(from / DAY));
    for (const n of [1, 2, 40, 41, 64, 70]) await put(list, day(n), n);
    const window = { start: 0, end: day(70) };
    expect((await read(documents, [list], window)).count).toBe(6);
    expect(days()).toEqual([1, 2, 40, 41, 64, 70]);
    expect((await read(documents, [list], window)).count).toBe(6);
    expect(days()).toEqual([70]);
    await put(list, day(40) + 1, 9);
    expect((await read(documents, [list], window)).count).toBe(7);
    expect(days()).toEqual([40, 70]);
    expect((await read(documents, [list], { start: day(41), end: day(64) })).count).toBe(2);
    expect(days()).toEqual([41, 64]);
  });
  if (counted.quarters === undefined) return;

  it('count rows only in changed quarters of an hour of a day with many rows, and where the window cuts one', async () => {
    const list = 'quarters';
    const { documents, asked: readCounts } = watching();
    const at = (hour: number) => 5 * DAY + hour * 3_600 + 60;
    for (const hour of [3, 4, 5, 6, 7, 8]) await put(list, at(hour), hour);
    const window = { start: at(4), end: at(7) };
    const names = async () => {
      const { documents: rows, count } = await read(documents, [list], window, 1, 9);
      return [count, rows.map(({ doc }) => doc.name)];
    };
    expect(await names()).toEqual([4, [7, 6, 5, 4]]);
    expect(readCounts().length).toBeGreaterThan(24 * 4);
    expect(await names()).toEqual([4, [7, 6, 5, 4]]);
    expect(readCounts()).toEqual([at(4), at(7) - 60]);
    await put(list, at(5) + 1, 9);
    expect(await names()).toEqual([5, [7, 6, 9, 5, 4]]);
    expect(readCounts()).toEqual([at(4), at(5) - 60, at(7) - 60]);
  });
});
