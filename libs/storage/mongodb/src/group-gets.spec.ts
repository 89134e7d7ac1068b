import type { DocumentRecord } from './document-record';
import { groupGets } from './group-gets';

const record = (id: string): DocumentRecord => ({ _id: id, seq: 0, rev: 1, gone: false, body: '{}', f: {} });
const ids = (count: number, name = 'id') => Array.from({ length: count }, (_, i) => `${name}-${i}`);

describe('look-ups by id', () => {
  const requests: (readonly string[])[] = [];
  const get = groupGets((some) => {
    requests.push(some);
    return Promise.resolve(new Map(some.filter((id) => id !== 'none').map((id) => [id, record(id)])));
  });
  beforeEach(() => {
    requests.length = 0;
  });

  it('of one turn are one query, in which each id stands once', async () => {
    const [firstAnswer, secondAnswer] = await Promise.all([get(['a', 'none']), get(['b', 'a']), get(['c'])]);
    expect(requests).toEqual([['a', 'none', 'b', 'c']]);
    expect([firstAnswer.get('a'), firstAnswer.get('none'), secondAnswer.get('b')]).toEqual([
      record('a'),
      undefined,
      record('b'),
    ]);
  });

  it('of many ids are sent separately, and no other waits for them', async () => {
    await Promise.all([get(ids(33)), get(['a'])]);
    expect(requests.map(({ length }) => length)).toEqual([33, 1]);
  });

  it('are more queries where a group has enough', async () => {
    await Promise.all(ids(20).map((name) => get(ids(32, name))));
    expect(requests.map(({ length }) => length)).toEqual([512, 128]);
  });

  it('that fail together are repeated separately, so that only the faulty one gets the error', async () => {
    const failing = groupGets((some) =>
      some.includes('bad') ? Promise.reject(new Error('bad')) : Promise.resolve(new Map([['a', record('a')]])),
    );
    const [good, bad] = await Promise.allSettled([failing(['a']), failing(['bad'])]);
    expect([good?.status, bad?.status]).toEqual(['fulfilled', 'rejected']);
  });
});
