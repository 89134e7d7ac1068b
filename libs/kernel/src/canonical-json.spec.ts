import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json';

/** JSON values with any well-formed text in them. */
const json = fc.jsonValue({ stringUnit: 'binary' });

/** The same value with the keys of every object in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, turned(member)] as const);
  return Object.fromEntries(entries.reverse());
}

describe('canonical JSON', () => {
  it('reads back as the value that was written', () => {
    fc.assert(
      fc.property(json, (value) => expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))),
    );
  });

  it('has one text for one value, whatever the order of keys', () => {
    fc.assert(fc.property(json, (value) => expect(canonicalJson(turned(value))).toBe(canonicalJson(value))));
  });

  it('has different texts for different values', () => {
    const small = fc.jsonValue({ maxDepth: 1, stringUnit: fc.constantFrom('"', '\\', ',', ':', '1') });
    fc.assert(
      fc.property(small, small, (a, b) => {
        const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(plain(a), plain(b)));
      }),
    );
  });

  it('of canonical text is the same text', () => {
    fc.assert(
      fc.property(json, (value) => expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value))),
    );
  });

  it('leaves out what is undefined, as JSON does', () => {
    expect(canonicalJson({ b: undefined, a: 1, c: { d: undefined } })).toBe('{"a":1,"c":{}}');
  });

  it('writes the sample of RFC 8785, section 3.2', () => {
    const sample = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\/',
      literals: [null, true, false],
    };
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts few and many keys as `sort` does', () => {
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.constant(1), { maxKeys: 80, size: 'max' });
    fc.assert(
      fc.property(object, (value) => {
        const members = Object.keys(value)
          .sort()
          .map((key) => `${JSON.stringify(key)}:1`);
        expect(canonicalJson(value)).toBe(`{${members.join()}}`);
      }),
    );
  });

  it('sorts keys by UTF-16 code units (RFC 8785, section 3.2.3)', () => {
    const sample = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const order = [...canonicalJson(sample).matchAll(/:"([^"]+)"/g)].map(([, name]) => name);
    expect(order).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  // RFC 8785, appendix B: IEEE 754 bits and their text.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number %s as %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it.each([
    ['NaN', NaN],
    ['infinity', Infinity],
    ['minus infinity', -Infinity],
    ['a lone high surrogate', '\ud800'],
    ['a lone low surrogate', 'a\udeadb'],
    ['a lone surrogate in a key', { '\udead': 1 }],
    ['undefined', undefined],
    ['undefined in an array', [undefined]],
    ['a big integer', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a date', new Date(0)],
    ['a map', new Map([['a', 1]])],
    ['a set', new Set([1])],
    ['bytes', new Uint8Array([1])],
    ['a boxed number', Object(1)],
  ])('refuses %s, however deep', (_what, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
    expect(() => canonicalJson({ a: [{ b: value === undefined ? [value] : value }] })).toThrow(TypeError);
  });
});
