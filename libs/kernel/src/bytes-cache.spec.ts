import { BytesCache } from './bytes-cache';

describe('BytesCache', () => {
  const text = (length: number) => 'a'.repeat(length);
  const left = (cache: BytesCache<string>, keys: string) => [...keys].filter((key) => cache.peek(key) !== undefined);

  it('evicts the least recently used entries when there are too many bytes, however few entries', () => {
    const cache = new BytesCache<string>(1_000, (value) => value.length);
    for (const key of ['a', 'b', 'c']) cache.set(key, text(300));
    expect(cache.get('a')).toBe(text(300));
    cache.set('d', text(300));
    expect(left(cache, 'abcd')).toEqual(['a', 'c', 'd']);
    cache.set('e', text(700));
    expect(left(cache, 'abcde')).toEqual(['d', 'e']);
  });

  it('counts an entry that is set again, or deleted, once', () => {
    const cache = new BytesCache<string>(1_000, (value) => value.length);
    for (let times = 0; times < 10; times += 1) cache.set('a', text(600));
    cache.set('b', text(400));
    expect(left(cache, 'ab')).toEqual(['a', 'b']);
    cache.delete('a');
    cache.set('c', text(600));
    expect(left(cache, 'abc')).toEqual(['b', 'c']);
  });

  it('stores no entry larger than the cache, and removes the older value of its key', () => {
    const cache = new BytesCache<string>(1_000, (value) => value.length);
    cache.set('a', text(10));
    cache.set('b', text(10));
    cache.set('a', text(1_001));
    expect(left(cache, 'ab')).toEqual(['b']);
  });

  it('counts text and its key, unless told otherwise', () => {
    const cache = new BytesCache<string>(10_000);
    cache.set(text(2_000), 'a');
    cache.set('b', text(2_000));
    cache.set('c', text(2_000));
    expect([cache.peek(text(2_000)), ...left(cache, 'bc')]).toEqual([undefined, 'b', 'c']);
  });
});
