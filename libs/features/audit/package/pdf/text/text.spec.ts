import fc from 'fast-check';
import { linesOf } from './breaks';
import { directionOf, runsOf } from './order';
import { printableText } from './printable-text';

const all = () => true;
const wide = (text: string) => [...text].length;

describe('a text as it is shown', () => {
  it.each([
    ['plain', 'plain'],
    ['two\r\nlines\n', 'two↵ lines↵ '],
    ['tab\tand\u00a0blank\u3000', 'tab and blank '],
    ['a\u202eb\u2066c\u200dd\ufeff', 'a⟨U+202E⟩b⟨U+2066⟩c⟨U+200D⟩d⟨U+FEFF⟩'],
    ['\u0007\u001b[31m\u0085', '⟨U+0007⟩⟨U+001B⟩[31m⟨U+0085⟩'],
    ['\ud800 \ue000 \u{e0041} \u3164', '⟨U+D800⟩ ⟨U+E000⟩ ⟨U+E0041⟩ ⟨U+3164⟩'],
    ['✔\ufe0f', '✔'],
    ['e\u0301', 'é'],
    ['x\u0316\u0316\u0316\u0316\u0316', 'x\u0316\u0316\u0316⟨U+0316⟩⟨U+0316⟩'],
  ])('%j is %j', (text, expected) => expect(printableText(text, all)).toBe(expected));

  it('shows what no font has by its number', () => {
    expect(printableText('a🚀', (code) => code < 128)).toBe('a⟨U+1F680⟩');
  });

  it('is cut where it is too long, and says so', () => {
    expect(printableText('x'.repeat(1_000), all)).toBe('x'.repeat(1_000));
    expect(printableText('x'.repeat(1_001), all)).toBe(`${'x'.repeat(1_000)}… (cut after 1000 characters)`);
    expect(printableText('🚀'.repeat(5), all, 4)).toBe('🚀🚀🚀🚀… (cut after 4 characters)');
  });
});

describe('the lines of a text', () => {
  it.each([
    ['one two three', 7, ['one two', 'three']],
    ['2026-11-21 18:45', 11, ['2026-11-21', '18:45']],
    ['a-very-long-name', 7, ['a-very-', 'long-', 'name']],
    ['aaaaaaaaaa', 4, ['aaaa', 'aaaa', 'aa']],
    ['測試測試', 3, ['測試測', '試']],
    ['', 5, []],
    ['   ', 2, []],
  ])('%j in %d', (text, width, expected) => expect(linesOf(text, width, wide)).toEqual(expected));

  it('hold all of it, and none is too long', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
        fc.integer({ min: 1, max: 30 }),
        (text, width) => {
          const lines = linesOf(text, width, wide);
          expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
          for (const line of lines) expect(wide(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe('the order of a line', () => {
  it('is that of the letters from left to right', () => {
    expect(runsOf('plain', 'ltr')).toEqual([{ text: 'plain', rightToLeft: false }]);
    expect(runsOf('v1 דוח x', 'ltr')).toEqual([
      { text: 'v1 ', rightToLeft: false },
      { text: 'דוח', rightToLeft: true },
      { text: ' x', rightToLeft: false },
    ]);
  });

  it('begins at the right where the first letter does, mirrors brackets and leaves numbers as they are', () => {
    expect([directionOf('דוח v1'), directionOf('v1 דוח'), directionOf('plain')]).toEqual(['rtl', 'ltr', 'ltr']);
    const runs = runsOf('דוח (12)', directionOf('דוח (12)'));
    expect(runs).toEqual([
      { text: '(', rightToLeft: true },
      { text: '12', rightToLeft: false },
      { text: 'דוח )', rightToLeft: true },
    ]);
  });
});
