import fc from 'fast-check';
import { findDuplicateKey } from './doubled-keys';
import { parseExact, scanJson } from './exact-json';

const doubled = (text: string, predicate?: (path: readonly string[]) => boolean) =>
  findDuplicateKey(text, scanJson(text), parseExact(text), predicate);

describe('a key that stands twice in one object', () => {
  it.each([
    ['{"a":1,"a":2}', ['a']],
    ['{ "a" : 1 , "a" : 1 }', ['a']],
    ['{"a":{"b":1,"c":[{"x":1},{"d":1,"d":1}]}}', ['a', 'c', '1', 'd']],
    ['[{"a":1},{"a":1,"\\u0061":2}]', ['1', 'a']],
    ['{"a":{"b":1},"a":{"c":1e400,"d":{}}}', ['a']],
    ['{"a:":":\\":","a:":1}', ['a:']],
    ['{"":1,"":2}', ['']],
  ])('is found in %s', (text, path) => {
    expect(doubled(text)).toEqual(path);
  });

  it.each([
    ['null'],
    ['"a:b"'],
    ['{"a":1,"b":{"a":1,"b":[{"a":1},{"a":1}]}}'],
    ['{"a":"\\"a\\":1","b":":"}'],
    ['{"a":1e400,"b":[12345678901234567890]}'],
    ['{"rawJSON":"1","b":{"rawJSON":1}}'],
  ])('is not found in %s', (text) => {
    expect(doubled(text)).toBeNull();
  });

  it('is looked for where it is wanted', () => {
    const inDigests = (path: readonly string[]) => path.at(-1) === 'digests';
    expect(doubled('{"a":1,"a":{"digests":{"x":1}}}', inDigests)).toBeNull();
    expect(doubled('{"a":1,"a":{"digests":{"x":1,"x":1}}}', inDigests)).toEqual(['a', 'digests', 'x']);
  });

  it('is in no text that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(doubled(JSON.stringify(value))).toBeNull();
        expect(doubled(JSON.stringify(value, null, 2))).toBeNull();
      }),
    );
  });

  it('of many keys and levels is found in linear time', () => {
    const deep = `${'{"a":'.repeat(50)}{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join(',')},"k7":2}${'}'.repeat(50)}`;
    expect(doubled(deep)?.at(-1)).toBe('k7');
  });
});
