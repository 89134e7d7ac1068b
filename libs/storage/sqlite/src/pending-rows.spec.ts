import type { Query } from '@assurance/storage-ports';
import { matches } from './pending-query';
import { documentOf, PendingRows } from './pending-rows';

const row = (doc: object | null) => ({ seq: 0, doc: doc === null ? null : JSON.stringify(doc) });

describe('rows that are not in the file yet', () => {
  const rows = new PendingRows();
  for (let i = 0; i < 900; i += 1)
    rows.set(`${i}`, row({ environment: i % 3, fingerprint: i % 300, name: `${i % 2}` }));

  const wanted = (where: Query['where']) =>
    [...rows].filter(([, one]) => matches(documentOf(one) ?? {}, where)).map(([key]) => key);

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
    expect(candidates).toEqual(expect.arrayContaining(wanted(where)));
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
