import fc from 'fast-check';
import { canonicalJson } from './canonical-json';
import { isRawNumber, parseExact } from './exact-json';

const RAW = [
  '12345678901234567890',
  '9007199254740993',
  '-9007199254740993',
  '1e400',
  '-1E400',
  '1e-400',
  '1e99999999999',
  '0.1000000000000000055511151231257827',
  '100000000000000000000000000000000000000001',
  '1.00000000000000000001e5',
];
const HELD = [
  '0',
  '-0',
  '0.0',
  '1.0',
  '0.1',
  '1e3',
  '1E+3',
  '100',
  '9007199254740992',
  '1e23',
  '1.7976931348623157e308',
];

describe('JSON that is parsed exactly', () => {
  it.each(RAW)('keeps the digits of %s, wherever it stands', (number) => {
    for (const text of [number, `[${number}]`, `{"a":${number},"b":[1,${number}]}`, `{"\\"":{"a":[${number}]}}`]) {
      const value = parseExact(text);
      expect([JSON.stringify(value), canonicalJson(value)]).toEqual([text, text]);
    }
    expect(isRawNumber(parseExact(number))).toBe(true);
    expect(canonicalJson(parseExact(` { "a" :\n${number} }`))).toBe(`{"a":${number}}`);
  });

  it.each(HELD)('takes %s for the number that it is', (number) => {
    expect(parseExact(`{"a":${number}}`)).toEqual({ a: Number(number) });
  });

  it('leaves texts alone, whatever digits are in them', () => {
    const texts = { a: RAW, ...Object.fromEntries(RAW.map((number) => [`:${number},`, `[${number}]`])) };
    expect(parseExact(JSON.stringify(texts))).toEqual(texts);
  });

  it('is what JSON.parse makes of it where doubles hold all numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseExact(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('keeps every number, however it is written', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,30}$/);
    const numbers = fc.tuple(digits, fc.integer({ min: -400, max: 400 })).map(([whole, power]) => `${whole}e${power}`);
    fc.assert(
      fc.property(numbers, (number) => {
        const value = parseExact(number);
        expect(isRawNumber(value) ? value.rawJSON : String(value)).toBe(
          isRawNumber(value) ? number : String(Number(number)),
        );
        // Compares in exact arithmetic: the double has the value of the text.
        const [digitsOf = '', power = '0'] = number.split('e');
        const [again = '', exponent = '0'] = isRawNumber(value)
          ? [digitsOf, power]
          : Number(number).toExponential().split('e');
        const fraction = again.split('.')[1]?.length ?? 0;
        const left = BigInt(again.replace('.', '')) * 10n ** BigInt(Number(exponent) - fraction + 800);
        expect(left).toBe(BigInt(digitsOf) * 10n ** BigInt(Number(power) + 800));
      }),
    );
  });

  it('sets no prototype, and is no JSON where JSON.parse says so', () => {
    const read = parseExact('{"__proto__":{"a":1e400}}') as object;
    expect([Object.getPrototypeOf(read), Object.keys(read)]).toEqual([Object.prototype, ['__proto__']]);
    for (const text of ['', '{', '01e400', '[1e400,]']) expect(() => parseExact(text)).toThrow(SyntaxError);
  });

  it('does not take an object for a number', () => {
    expect([{ rawJSON: '1' }, Object.create(null), null, 1, 'x'].some(isRawNumber)).toBe(false);
    expect(canonicalJson({ rawJSON: 'x' })).toBe('{"rawJSON":"x"}');
  });
});
