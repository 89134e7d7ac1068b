import fc from 'fast-check';
import { canonicalJson } from './canonical-json';
import { canonicalDeepSteps, isLarge, parseDeepSteps, quotedSteps } from './deep-json';
import { parseExact } from './exact-json';
import { atOnce, type Steps } from './slices';

const many = (value: unknown) =>
  Array.from({ length: 2_000 }, (_, i) => ({ [`k${i % 7}`]: value, i, text: `\\"${i}],{` }));
const deep = (value: unknown) => ({
  a: { b: [{ c: { d: many(value), long: 'x\\"\n🚀'.repeat(20_000) } }, 1, [], {}] },
  keys: Object.fromEntries(many(1).map((one, i) => [`key ${i}`, one])),
  number: parseExact('12345678901234567890'),
  z: value,
});

describe('deep JSON in steps', () => {
  it('is written and read as it is at once', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
        const text = canonicalJson(deep(value));
        expect(atOnce(canonicalDeepSteps(deep(value)))).toBe(text);
        expect(canonicalJson(atOnce(parseDeepSteps(text)))).toBe(text);
      }),
      { numRuns: 20 },
    );
  });

  it.each(['\\', '"', 'a\\', '\u0001', '\\u0041', '🚀', 'x', '\ud7ff🚀\\"'])('keeps long texts of %j', (part) => {
    for (const shift of ['', 'a', 'ab', 'abc', 'abcd', 'abcde']) {
      const value = [shift + part.repeat(40_000), { [shift + part.repeat(40_000)]: 1 }];
      const text = canonicalJson(value);
      expect(atOnce(parseDeepSteps(text))).toEqual(value);
      expect(atOnce(canonicalDeepSteps(value))).toBe(text);
      expect(atOnce(quotedSteps(value[0] as string))).toBe(JSON.stringify(value[0]));
    }
  });

  it('sets no prototype', () => {
    const text = `{"__proto__":{"a":"${'x'.repeat(100_000)}"},"b":{"__proto__":1}}`;
    const read = atOnce(parseDeepSteps(text)) as object;
    expect([Object.getPrototypeOf(read), Object.keys(read)]).toEqual([Object.prototype, ['__proto__', 'b']]);
  });

  it('takes small steps wherever the mass lies', () => {
    const value = { a: { b: { c: { d: { e: { f: many(many(1).slice(0, 50)) } } } } } };
    const text = canonicalJson(value);
    expect(text.length).toBeGreaterThan(2_000_000);
    expect([isLarge(value), isLarge({ a: 1 })]).toEqual([true, false]);
    const count = (steps: Steps<unknown>) => {
      let taken = 0;
      while (steps.next().done !== true) taken += 1;
      return taken;
    };
    expect(count(parseDeepSteps(text))).toBeGreaterThan(text.length / 200_000);
    expect(count(canonicalDeepSteps(value))).toBeGreaterThan(text.length / 200_000);
  });
});
