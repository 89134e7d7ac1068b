import { type Instance, Instances } from './instances';

describe('instances', () => {
  let now = 0;
  const instancesAt = (...origins: string[]) => origins.map((origin) => ({ origin, reachedAt: [] }));
  const of = (...origins: string[]) =>
    new Instances(
      () => instancesAt(...origins),
      () => now,
    );
  const originsOf = (order: readonly Instance[]) => order.map(({ origin }) => origin).join('');
  const keys = Array.from({ length: 2_000 }, (_, i) => `acme/env-${i}`);

  it('are asked in turn, each once', () => {
    const instances = of('a', 'b', 'c');
    expect([1, 2, 3, 4].map(() => originsOf(instances.order(null)))).toEqual(['abc', 'bca', 'cab', 'abc']);
  });

  it('use an instance that could not be reached last, for a second', () => {
    const instances = of('a', 'b', 'c');
    instances.skip({ origin: 'a' });
    expect(originsOf(instances.order(null))).toBe('bca');
    now += 999;
    expect(originsOf(instances.order(null))).toBe('bca');
    now += 1;
    expect(originsOf(instances.order(null))).toBe('cab');
    expect(originsOf(instances.order(null))).toBe('abc');
  });

  it('are still used when none could be reached', () => {
    const instances = of('a', 'b', 'c');
    for (const instance of instancesAt('a', 'b', 'c')) instances.skip(instance);
    expect(originsOf(instances.order(null))).toBe('abc');
  });

  it('take turns when their number changes', () => {
    let origins = ['a', 'b', 'c'];
    const instances = new Instances(
      () => instancesAt(...origins),
      () => now,
    );
    expect(originsOf(instances.order(null))).toBe('abc');
    expect(originsOf(instances.order(null))).toBe('bca');
    origins = ['a', 'b'];
    expect(originsOf(instances.order(null))).toBe('ab');
    expect(originsOf(instances.order(null))).toBe('ba');
  });

  it('keep each key at one of them, in whatever order they are configured, and share the keys evenly', () => {
    const [left, right] = [of('a', 'b', 'c', 'd'), of('d', 'b', 'a', 'c')];
    const many = new Map<string, number>();
    for (const key of keys) {
      const order = originsOf(left.order(key));
      expect([...order].sort().join('')).toBe('abcd');
      expect([originsOf(left.order(key)), originsOf(right.order(key))]).toEqual([order, order]);
      const [first = ''] = order;
      many.set(first, (many.get(first) ?? 0) + 1);
    }
    for (const count of many.values()) expect(Math.abs(count - keys.length / 4)).toBeLessThan(100);
  });

  it('move only the keys of a removed instance to the others, evenly', () => {
    const [four, three] = [of('a', 'b', 'c', 'd'), of('a', 'b', 'c')];
    const taken = new Set<string>();
    for (const key of keys) {
      const before = originsOf(four.order(key));
      const [first = ''] = originsOf(three.order(key));
      expect(first).toBe(before[0] === 'd' ? before[1] : before[0]);
      if (before[0] === 'd') taken.add(first);
    }
    expect(taken).toEqual(new Set(['a', 'b', 'c']));
  });

  it('pass the keys of an unreachable instance to the next, and back after a second', () => {
    const instances = of('a', 'b', 'c');
    const order = originsOf(instances.order('acme/production'));
    const [first = '', next, last] = order;
    instances.skip({ origin: first });
    expect(originsOf(instances.order('acme/production'))).toBe([next, last, first].join(''));
    now += 1_000;
    expect(originsOf(instances.order('acme/production'))).toBe(order);
  });
});
