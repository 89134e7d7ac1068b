import { countedPage, type CountedRows, periodCounts, revise } from '@assurance/projection-views';
import type { Documents } from '@assurance/storage-ports';
import fc from 'fast-check';
import { scheduled } from '../support/interleaved';
import { temporaryEngines } from '../support/temporary-engines';

interface Row {
  readonly list: string;
  readonly at: number;
  readonly name: number;
}

const DAY = 86_400;
const counted: CountedRows<Row> = {
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

/** Moments of a few days, in two periods. */
const moment = fc
  .tuple(fc.constantFrom(31, 32), fc.constantFrom(0, 7, DAY - 0.001))
  .map(([day, seconds]) => day * DAY + seconds);
const always = { start: 0, end: 70 * DAY };

describe('counts by days', () => {
  const engines = temporaryEngines();
  let run = 0;

  /** Moves a row into a list, as a handler does. */
  async function move(documents: Documents, id: string, row: Row, from: string): Promise<void> {
    await documents.collection(counted.rows).write([{ kind: 'put', id, doc: row }]);
    await revise(documents, counted.periods, [
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
        fc.array(moment, { minLength: 1, maxLength: 5 }),
        fc.tuple(moment, moment),
        fc.scheduler(),
        async (moments, [a, b], scheduler) => {
          run += 1;
          const [one, two] = [`${run}-one`, `${run}-two`];
          const documents = scheduled(engines().documents, scheduler);
          const handlers = [0, 1].map(async (handler) => {
            for (const [name, at] of moments.entries()) {
              if (name % 2 !== handler) continue;
              await move(documents, `${run}/${name}`, { list: one, at, name }, one);
              if (handler === 1) await move(documents, `${run}/${name}`, { list: two, at, name }, one);
            }
          });
          const readers = [[one], [one, two]].map(async (lists) => {
            for (let again = 0; again < 6; again += 1) await read(documents, lists);
          });
          await scheduler.waitFor(Promise.all([...handlers, ...readers]));

          const rows = moments.map((at, name): Row => ({ list: name % 2 === 1 ? two : one, at, name }));
          rows.sort((x, y) => y.at - x.at || x.name - y.name);
          for (const window of [always, { start: Math.min(a, b), end: Math.max(a, b) }]) {
            for (const lists of [[one], [two], [one, two], []]) {
              const shown = rows.filter(
                ({ list, at }) => lists.includes(list) && at >= window.start && at <= window.end,
              );
              for (const page of [1, 2, 3]) {
                const { found, count } = await read(engines().documents, lists, window, page);
                expect([count, found.map(({ doc }) => doc)]).toEqual([
                  shown.length,
                  shown.slice(page * 2 - 2, page * 2),
                ]);
              }
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  /** The store, where something happens after each operation of a kind. */
  function then(kind: 'count' | 'merge', happens: () => Promise<unknown>): Documents {
    return {
      writeInOrder: (steps) => engines().documents.writeInOrder(steps),
      persist: () => engines().documents.persist(),
      drop: (definition) => engines().documents.drop(definition),
      collection(definition) {
        const inner = engines().documents.collection(definition);
        const after = async <R>(done: Promise<R>) => {
          const result = await done;
          await happens();
          return result;
        };
        return {
          ...{ get: inner.get, getMany: inner.getMany, write: (writes) => inner.write(writes) },
          find: (query) => inner.find(query),
          scan: (after, limit) => inner.scan(after, limit),
          count: (where) => (kind === 'count' ? after(inner.count(where)) : inner.count(where)),
          merge: (ids, change) => (kind === 'merge' ? after(inner.merge(ids, change)) : inner.merge(ids, change)),
        };
      },
    };
  }

  it('do not cache a count that a row has overtaken', async () => {
    const list = 'overtaken';
    const put = (name: number) => move(engines().documents, `${list}/${name}`, { list, at: 3 * DAY, name }, list);
    await put(1);
    let names = 1;
    const overtaken = then('count', () => put((names += 1)));
    await read(overtaken, [list]);
    expect((await read(engines().documents, [list])).count).toBe(names);
    expect(names).toBeGreaterThan(1);
  });

  it('are right after counts between the revisions of one row', async () => {
    const list = 'between';
    const between = then('merge', () => read(engines().documents, [list]));
    for (const name of [1, 2, 3]) await move(between, `${list}/${name}`, { list, at: 3 * DAY, name }, list);
    expect((await read(engines().documents, [list])).count).toBe(3);
  });

  it('count rows only in changed days and in days at the ends of the window', async () => {
    const list = 'watched';
    const day = (n: number) => n * DAY + 7;
    for (const n of [1, 2, 40, 41, 64])
      await move(engines().documents, `${list}/${n}`, { list, at: day(n), name: n }, list);
    const asked: unknown[] = [];
    const watched: Documents = {
      writeInOrder: (steps) => engines().documents.writeInOrder(steps),
      persist: () => engines().documents.persist(),
      drop: (definition) => engines().documents.drop(definition),
      collection(definition) {
        const inner = engines().documents.collection(definition);
        return {
          ...{ get: inner.get, getMany: inner.getMany, write: (writes) => inner.write(writes) },
          find: (query) => inner.find(query),
          scan: (after, limit) => inner.scan(after, limit),
          merge: (ids, change) => inner.merge(ids, change),
          count: (where) => {
            asked.push(where['at']);
            return inner.count(where);
          },
        };
      },
    };
    const days = () => asked.splice(0).map((range) => Math.floor((range as { gte: number }).gte / DAY));
    const window = { start: 0, end: day(70) };
    expect((await read(watched, [list], window)).count).toBe(5);
    expect(days().sort((x, y) => x - y)).toEqual([1, 2, 40, 41, 64, 70]);
    expect((await read(watched, [list], window)).count).toBe(5);
    expect(days()).toEqual([70]);
    await move(engines().documents, `${list}/more`, { list, at: day(40), name: 9 }, list);
    expect((await read(watched, [list], window)).count).toBe(6);
    expect(days()).toEqual([70, 40]);
    expect((await read(watched, [list], { start: day(41), end: day(63) })).count).toBe(1);
    expect(days()).toEqual([63, 41]);
  });
});
