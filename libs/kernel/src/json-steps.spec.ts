import fc from 'fast-check';
import { canonicalJson } from './canonical-json';
import { canonicalJsonSteps, parseJsonSteps } from './json-steps';
import { atOnce } from './slices';

const long = (member: unknown) => ({
  ' ': 'a "quoted" \\ text: [{,}]',
  changes: Array.from({ length: 3_000 }, (_, i) => ({ i, member, list: [i, [], {}], text: `${i} \\"],[{` })),
  empty: [],
  none: {},
  number: -1.5e300,
  z: null,
});

describe('JSON in steps', () => {
  it('is written as it is at once', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
        expect(atOnce(canonicalJsonSteps(value))).toBe(canonicalJson(value));
      }),
    );
    const value = { ...long('x'), left: undefined };
    expect(atOnce(canonicalJsonSteps(value))).toBe(canonicalJson(value));
  });

  it('is read as it is at once, however long', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
        const text = JSON.stringify({ ...value, ...long(value) });
        expect(JSON.stringify(atOnce(parseJsonSteps(text)))).toBe(JSON.stringify(JSON.parse(text)));
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
      expect(atOnce(parseJsonSteps(text))).toEqual(JSON.parse(text));
    }
  });

  it('sets no prototype', () => {
    const text = `{"__proto__":{"a":1},"b":"${'x'.repeat(100_000)}"}`;
    const read = atOnce(parseJsonSteps(text)) as object;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.keys(read)).toEqual(['__proto__', 'b']);
  });

  it('takes a step for each part of a list', () => {
    const count = (steps: Iterator<void>) => {
      let taken = 0;
      while (steps.next().done !== true) taken += 1;
      return taken;
    };
    expect(count(canonicalJsonSteps(long('x')))).toBeGreaterThan(40);
    expect(count(parseJsonSteps(JSON.stringify(long('x'))))).toBeGreaterThan(4);
  });
});
