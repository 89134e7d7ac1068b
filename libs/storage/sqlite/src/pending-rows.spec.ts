import { ITEMS_A_STEP } from '@assurance/kernel';
import fc from 'fast-check';
import type { Query } from '@assurance/storage-ports';
import { matcherOf } from './pending-query';
import { documentOf, PendingRows } from './pending-rows';

const row = (doc: object | null) => ({ seq: 0, doc: doc === null ? null : JSON.stringify(doc) });

describe('rows that are not in the file yet', () => {
  const rows = new PendingRows();
  for (let i = 0; i < 900; i += 1)
    rows.set(`${i}`, row({ environment: i % 3, fingerprint: i % 300, name: `${i % 2}` }));

  const expectedRows = (where: Query['where']) =>
    [...rows].filter(([, one]) => matcherOf(where)(documentOf(one) ?? {})).map(([key]) => key);

  it.each<[why: string, where: Query['where'], most: number]>([
    ['one value', { fingerprint: 7 }, 3],
    ['several values', { fingerprint: { in: [7, 8, 7] } }, 6],
    ['two fields, with few rows for the last', { environment: 1, fingerprint: 7 }, 3],
    ['two fields, with many rows for each', { environment: 0, fingerprint: { in: range(200) } }, 201],
    ['two fields with several values', { environment: { in: [0, 1] }, fingerprint: { in: range(150) } }, 300],
    ['two fields and a range', { environment: { gte: 1 }, fingerprint: 9, name: '1' }, 450],
    ['values that look alike', { environment: { in: [0, '0'] }, fingerprint: { in: range(200) } }, 201],
    ['a value that no row has', { environment: 5, fingerprint: { in: range(200) } }, 0],
    ['no field', {}, 900],
  ])('are candidates for a query by %s', (_, where, most) => {
    const candidates = rows.candidates(where);
    expect(candidates).toEqual(expect.arrayContaining(expectedRows(where)));
    expect(candidates.length).toBeLessThanOrEqual(most);
    expect(new Set(candidates).size).toBe(candidates.length);
  });

  it('are candidates by what they are now', () => {
    const where = { environment: 0, fingerprint: { in: range(200) } };
    const before = rows.candidates(where);
    expect(before).toContain('3');
    rows.set('3', row({ environment: 1, fingerprint: 3 }));
    rows.set('1000', row({ environment: 0, fingerprint: 3 }));
    rows.set('6', row(null));
    rows.delete('9');
    expect([...rows.candidates(where)].sort()).toEqual(
      [...before.filter((key) => !['3', '6', '9'].includes(key)), '1000'].sort(),
    );
  });
});

describe('an index that is made in slices', () => {
  const many = 40 * ITEMS_A_STEP;
  const kinds = 4;
  const doc = (kind: number, i: number) => ({ kind, name: `${i % 7}` });
  const change = fc.record({
    at: fc.nat(many + 50),
    what: fc.constantFrom('set' as const, 'remove' as const, 'delete' as const),
    kind: fc.nat(kinds - 1),
  });
  const query = fc.record({ kind: fc.nat(kinds - 1), name: fc.nat(6).map(String) });
  /** Each read of the clock ends a slice. */
  let now = 0;
  beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => (now += 10)));
  afterEach(() => jest.restoreAllMocks());

  it('finds the same rows as an index that is made at once, despite concurrent changes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 60 }), query, async (changes, where) => {
        const rows = new PendingRows();
        for (let i = 0; i < many; i += 1) rows.set(`${i}`, row(doc(i % kinds, i)));
        let rounds = 0;
        const left = [...changes];
        const apply = () => {
          for (const { at, what, kind } of left.splice(0, 3)) {
            if (what === 'delete') rows.delete(`${at}`);
            else rows.set(`${at}`, what === 'remove' ? null : row(doc(kind, at)));
          }
        };
        for (let index = rows.indexInSlices(where); index !== undefined; index = rows.indexInSlices(where)) {
          let ended = false;
          void index.then(() => (ended = true));
          while (!ended) {
            rounds += 1;
            apply();
            await new Promise((resolve) => setImmediate(resolve));
          }
        }
        expect(rounds).toBeGreaterThan(20);
        const whole = new PendingRows();
        for (const [key, one] of rows) whole.set(key, one);
        expect([...rows.candidates(where)].sort()).toEqual([...whole.candidates(where)].sort());
      }),
      { numRuns: 20 },
    ));

  it('is made once for those that wait for it, and not for few rows', async () => {
    const rows = new PendingRows();
    for (let i = 0; i < 100; i += 1) rows.set(`${i}`, row(doc(i % kinds, i)));
    expect(rows.indexInSlices({ kind: 1 })).toBeUndefined();
    for (let i = 0; i < many; i += 1) rows.set(`${i}`, row(doc(i % kinds, i)));
    const index = rows.indexInSlices({ name: '1' });
    expect(index).toBeDefined();
    expect(rows.indexInSlices({ name: '2' })).toBe(index);
    await index;
    expect(rows.indexInSlices({ name: '2' })).toBeUndefined();
  });
});

describe('an index of rows that are not in the file yet', () => {
  const rows = new PendingRows();
  let read = 0;
  const set = (from: number) => {
    const counted = (kind: number) => ({
      get kind() {
        read += 1;
        return kind;
      },
    });
    for (let i = from; i < from + 600; i += 1) rows.set(`${i}`, row({ kind: i % 2 }), counted(i % 2));
  };

  it('is kept while queries use it, and dropped when all rows changed since the last one', () => {
    set(0);
    expect([rows.candidates({ kind: 0 }).length, read]).toEqual([300, 0]);
    set(0);
    expect([rows.candidates({ kind: 1 }).length, read]).toEqual([300, 600]);
    set(0);
    set(0);
    expect(read).toBe(1_200);
    expect(rows.candidates({ kind: 1 })).toHaveLength(300);
  });
});

function range(many: number): number[] {
  return Array.from({ length: many }, (_, i) => i);
}
