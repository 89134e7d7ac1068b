import { StoreUnavailable } from '@assurance/storage-ports';
import { groupByGroup } from './group';

/** At most three requests in a group. */
const threes = () => {
  let many = 0;
  return () => (many += 1) <= 3;
};

describe('calls that are made at the same time', () => {
  it('goes in groups, one after the other, each with its own outcome', async () => {
    const groups: number[][] = [];
    let underWay = 0;
    const double = groupByGroup<number, number>(threes, async (group) => {
      groups.push([...group]);
      expect((underWay += 1)).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return group.map((n) => n * 2);
    });
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map(double))).toEqual([2, 4, 6, 8, 10, 12]);
    expect(groups).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(await double(7)).toBe(14);
  });

  it('tells what is wrong with one to that one', async () => {
    const odd = groupByGroup<number, number>(threes, async (group) => {
      if (group.includes(4)) throw new RangeError('4 is too large');
      return group;
    });
    const outcomes = await Promise.allSettled([1, 3, 4, 5].map(odd));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('tells all of a group that the server is away, without asking it for each', async () => {
    let count = 0;
    const away = groupByGroup<number, number>(threes, async () => {
      count += 1;
      throw new StoreUnavailable('away');
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(away));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(count).toBe(2);
  });

  it('waits for a group that hangs no longer than told', async () => {
    const requests: string[] = [];
    const group = groupByGroup<string, string>(
      threes,
      (items) => {
        requests.push(...items);
        return items.includes('hangs') ? new Promise(() => undefined) : Promise.resolve(items);
      },
      1,
    );
    void group('hangs');
    while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await group('next')).toBe('next');
    expect(requests).toEqual(['hangs', 'next']);
  });
});
