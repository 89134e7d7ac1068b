import { ExpiringCache } from './expiring-cache';

describe('what was looked up lately', () => {
  it('is known for its time and not a millisecond longer', () => {
    const recent = new ExpiringCache<string>(1_000, 10);
    recent.set('a', 'x', 5_000);
    expect([recent.get('a', 5_000), recent.get('a', 5_999), recent.get('a', 6_000)]).toEqual(['x', 'x', undefined]);
    expect(recent.get('a', 5_500)).toBeUndefined();
  });

  it('never holds more than its size: the oldest goes', () => {
    const recent = new ExpiringCache<number>(1_000, 2);
    recent.set('a', 1, 0);
    recent.set('b', 2, 0);
    recent.set('a', 3, 0);
    recent.set('c', 4, 0);
    expect(['a', 'b', 'c'].map((key) => recent.get(key, 0))).toEqual([3, undefined, 4]);
  });
});
