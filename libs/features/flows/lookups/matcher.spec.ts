import { Matcher } from './matcher';

const pagesOf = async function* (count: number) {
  const all = Array.from({ length: count }, (_, i) => `flow-${i}`);
  for (let from = 0; from < all.length; from += 250) yield await Promise.resolve(all.slice(from, from + 250));
};

describe('looking for a text', () => {
  const among = (text: string, count: number) => {
    const matcher = new Matcher(text, 20);
    return matcher.collect(pagesOf(count), (name) => matcher.match({ kind: 'flow', name }, ['name', name]));
  };

  it.each([0, 1, 250, 999, 1_000])('is complete among %d things, which are all looked through', async (count) => {
    expect(await among('nowhere', count)).toEqual({ results: [], complete: true });
  });

  it.each([1_001, 1_250])('is not complete among %d things, which are more than are looked through', async (count) => {
    expect(await among('nowhere', count)).toEqual({ results: [], complete: false });
    expect((await among('flow-999', count)).results.map(({ name }) => name)).toEqual(['flow-999']);
    expect((await among('flow-1000', count)).results).toEqual([]);
  });

  it('ends with as many results as are wanted', async () => {
    expect((await among('flow', 5_000)).results).toHaveLength(20);
  });
});
