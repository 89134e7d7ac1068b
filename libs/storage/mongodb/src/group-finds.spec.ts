import type { Query } from '@assurance/storage-ports';
import type { DocumentRecord } from './document-record';
import { groupFinds } from './group-finds';

const record = (fingerprint: string, n: number): DocumentRecord => ({
  _id: `${fingerprint}/${n}`,
  seq: 0,
  rev: 1,
  gone: false,
  body: '{}',
  f: { org: 'acme', fingerprint },
});
const ROWS = ['a', 'a', 'b', 'c'].map(record);
const idsOf = (results: readonly DocumentRecord[]) => results.map(({ _id }) => _id);

/** Rows that are found by a list of fingerprints, and the queries that were sent. */
function rows() {
  const queries: Query[] = [];
  const find = groupFinds(async (query) => {
    queries.push(query);
    await new Promise((resolve) => setImmediate(resolve));
    const { fingerprint } = query.where as { fingerprint: { in?: readonly string[] } };
    const expected = ROWS.filter(({ f }) => fingerprint.in?.includes(String(f['fingerprint'])) ?? true);
    return expected.slice(0, query.limit);
  });
  const ask = (fingerprints: readonly string[], more: Partial<Query> = {}, org = 'acme') =>
    find({ where: { org, fingerprint: { in: fingerprints } }, limit: 100, ...more }).then(idsOf);
  return { asked: queries, ask, find };
}

describe('queries for lists of values', () => {
  it('go together in one turn and while one is under way, and each gets its own', async () => {
    const { asked: queries, ask } = rows();
    const first = [ask(['a']), ask(['b', 'a'])];
    while (queries.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const results = await Promise.all([...first, ask(['c']), ask(['d'])]);
    expect(results).toEqual([['a/0', 'a/1'], ['a/0', 'a/1', 'b/2'], ['c/3'], []]);
    expect(queries.map(({ where }) => where['fingerprint'])).toEqual([{ in: ['a', 'b'] }, { in: ['c', 'd'] }]);
  });

  it('are sent separately if they differ in more than the values', async () => {
    const { asked: queries, ask } = rows();
    await Promise.all([ask(['a']), ask(['c'], {}, 'other'), ask(['b'], { limit: 5 })]);
    expect(queries).toHaveLength(3);
  });

  it('wait for none that they cannot go with', async () => {
    let answer: (results: DocumentRecord[]) => void = () => undefined;
    const slowRead = new Promise<DocumentRecord[]>((resolve) => (answer = resolve));
    const find = groupFinds(({ where }) => (where['org'] === 'slow' ? slowRead : Promise.resolve([])));
    const answered: string[] = [];
    const ask = (org: string) =>
      find({ where: { org, fingerprint: { in: ['a'] } }, limit: 100 }).then(() => answered.push(org));
    const all = [ask('slow'), ask('acme')];
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    answer([]);
    await Promise.all(all);
    expect(answered).toEqual(['acme', 'slow']);
  });

  it('are sent separately if their common result was cut off', async () => {
    const { asked: queries, ask } = rows();
    const limit = 2;
    const results = await Promise.all([ask(['c'], { limit }), ask(['a'], { limit }), ask(['b'], { limit })]);
    expect(results).toEqual([['c/3'], ['a/0', 'a/1'], ['b/2']]);
    expect(queries.map(({ where }) => where['fingerprint'])).toEqual([
      { in: ['c', 'a', 'b'] },
      { in: ['c'] },
      { in: ['a'] },
      { in: ['b'] },
    ]);
  });

  it('are not grouped if they skip rows or have no list', async () => {
    const { asked: queries, ask, find } = rows();
    await Promise.all([
      ask(['a']),
      ask(['a'], { skip: 1 }),
      find({ where: { org: 'acme', fingerprint: 'a' }, limit: 1 }).catch(() => []),
    ]);
    expect(queries).toHaveLength(3);
  });
});
