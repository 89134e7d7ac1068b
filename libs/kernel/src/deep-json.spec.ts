import fc from 'fast-check';
import { canonicalJson } from './canonical-json';
import { canonicalDeepInSlices, isLarge, parseDeepInSlices, quotedInSlices } from './deep-json';
import { parseExact } from './exact-json';
import { Slices } from './slices';

const many = (value: unknown) =>
  Array.from({ length: 2_000 }, (_, i) => ({ [`k${i % 7}`]: value, i, text: `\\"${i}],{` }));
const deep = (value: unknown) => ({
  a: { b: [{ c: { d: many(value), long: 'x\\"\n🚀'.repeat(20_000) } }, 1, [], {}] },
  keys: Object.fromEntries(many(1).map((value, i) => [`key ${i}`, value])),
  number: parseExact('12345678901234567890'),
  z: value,
});

describe('deep JSON in slices', () => {
  it('is written and read as it is at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), async (value) => {
        const text = canonicalJson(deep(value));
        expect(await canonicalDeepInSlices(deep(value))).toBe(text);
        expect(canonicalJson(await parseDeepInSlices(text))).toBe(text);
      }),
      { numRuns: 20 },
    );
  });

  it.each(['\\', '"', 'a\\', '\u0001', '\\u0041', '🚀', 'x', '\ud7ff🚀\\"'])('keeps long texts of %j', async (part) => {
    for (const shift of ['', 'a', 'ab', 'abc', 'abcd', 'abcde']) {
      const value = [shift + part.repeat(40_000), { [shift + part.repeat(40_000)]: 1 }];
      const text = canonicalJson(value);
      expect(await parseDeepInSlices(text)).toEqual(value);
      expect(await canonicalDeepInSlices(value)).toBe(text);
      expect(await quotedInSlices(value[0] as string)).toBe(JSON.stringify(value[0]));
    }
  });

  it('sets no prototype', async () => {
    const text = `{"__proto__":{"a":"${'x'.repeat(100_000)}"},"b":{"__proto__":1}}`;
    const read = (await parseDeepInSlices(text)) as object;
    expect([Object.getPrototypeOf(read), Object.keys(read)]).toEqual([Object.prototype, ['__proto__', 'b']]);
  });

  it('may pause often wherever the mass lies', async () => {
    const value = { a: { b: { c: { d: { e: { f: many(many(1).slice(0, 50)) } } } } } };
    const text = canonicalJson(value);
    expect(text.length).toBeGreaterThan(2_000_000);
    expect([isLarge(value), isLarge({ a: 1 })]).toEqual([true, false]);
    const looked = jest.spyOn(Slices.prototype, 'over', 'get').mockReturnValue(false);
    await parseDeepInSlices(text);
    expect(looked.mock.calls.length).toBeGreaterThan(text.length / 200_000);
    looked.mockClear();
    await canonicalDeepInSlices(value);
    expect(looked.mock.calls.length).toBeGreaterThan(text.length / 200_000);
    looked.mockRestore();
  });
});
