import fc from 'fast-check';
import { beginningOf, endOf, trimBoth, trimEnd } from './text';

describe('cutting a text', () => {
  it('takes its beginning and its end, and never half of a pair', () => {
    expect(beginningOf('ab😀cd', 3)).toBe('ab');
    expect(beginningOf('ab😀cd', 4)).toBe('ab😀');
    expect(endOf('ab😀cd', 3)).toBe('cd');
    expect(endOf('ab😀cd', 4)).toBe('😀cd');
    expect([beginningOf('abc', 3), endOf('abc', 3), beginningOf('abc', 0), endOf('abc', 0)]).toEqual([
      'abc',
      'abc',
      '',
      '',
    ]);
  });

  it('leaves well-formed what is well-formed, as long as it may be', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\u{10ffff}'), maxLength: 12 });
    fc.assert(
      fc.property(text, fc.nat(20), (whole, max) => {
        const [beginning, end] = [beginningOf(whole, max), endOf(whole, max)];
        for (const cut of [beginning, end]) {
          expect(cut.isWellFormed()).toBe(true);
          expect(cut.length).toBeLessThanOrEqual(max);
          expect(cut.length).toBeGreaterThanOrEqual(Math.min(max, whole.length) - 1);
        }
        expect(whole.startsWith(beginning) && whole.endsWith(end)).toBe(true);
      }),
    );
  });
});

describe('trimming a text', () => {
  it('does what the expression does that takes quadratic time', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '/', '.'), maxLength: 12 });
    fc.assert(
      fc.property(text, (input) => {
        expect(trimEnd(input, /[/.]/)).toBe(input.replace(/[/.]+$/, ''));
        expect(trimBoth(input, /[/.]/)).toBe(input.replace(/^[/.]+|[/.]+$/g, ''));
      }),
    );
  });
});
