import fc from 'fast-check';
import { canonicalJson } from './canonical-json';
import { canonicalJsonInSlices, parseJsonInSlices } from './json-steps';
import { Slices } from './slices';

const long = (member: unknown) => ({
  ' ': 'a "quoted" \\ text: [{,}]',
  changes: Array.from({ length: 3_000 }, (_, i) => ({ i, member, list: [i, [], {}], text: `${i} \\"],[{` })),
  empty: [],
  none: {},
  number: -1.5e300,
  z: null,
});

describe('JSON in slices', () => {
  it('is written as it is at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), async (value) => {
        expect(await canonicalJsonInSlices(value)).toBe(canonicalJson(value));
      }),
    );
    const value = { ...long('x'), left: undefined };
    expect(await canonicalJsonInSlices(value)).toBe(canonicalJson(value));
  });

  it('is read as it is at once, however long', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), async (value) => {
        const text = JSON.stringify({ ...value, ...long(value) });
        expect(JSON.stringify(await parseJsonInSlices(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 20 },
    );
    for (const text of [
      'null',
      '[1,2]',
      '{}',
      '{"a":[]}',
      '"x"',
      `["${'x'.repeat(100_000)}"]`,
      `{"a":[],"b":"${'x'.repeat(100_000)}"}`,
    ]) {
      expect(await parseJsonInSlices(text)).toEqual(JSON.parse(text));
    }
  });

  it('sets no prototype', async () => {
    const text = `{"__proto__":{"a":1},"b":"${'x'.repeat(100_000)}"}`;
    const read = (await parseJsonInSlices(text)) as object;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.keys(read)).toEqual(['__proto__', 'b']);
  });

  it('may pause after each part of a list', async () => {
    const looked = jest.spyOn(Slices.prototype, 'over', 'get').mockReturnValue(false);
    await canonicalJsonInSlices(long('x'));
    expect(looked.mock.calls.length).toBeGreaterThan(40);
    looked.mockClear();
    await parseJsonInSlices(JSON.stringify(long('x')));
    expect(looked.mock.calls.length).toBeGreaterThan(4);
    looked.mockRestore();
  });
});
