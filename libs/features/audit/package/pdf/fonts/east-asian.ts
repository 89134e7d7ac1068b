import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Font, openThin, type Parse } from './font';

/**
 * Chinese with Japanese, then Korean. Each package has about a hundred files of some hundred characters, and a list of the characters of each file.
 */
const PACKAGES = [
  { name: 'noto-sans-sc', list: () => require.resolve('@fontsource-variable/noto-sans-sc/unicode.json') },
  { name: 'noto-sans-kr', list: () => require.resolve('@fontsource-variable/noto-sans-kr/unicode.json') },
];
const WRITTEN_SO =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\u3001-\u303f\u30fb\u30fc\uff01-\uffee]/u;

/** The most files that one report opens. Opening one takes about 40 milliseconds. Characters of other files are shown by their numbers. */
const FILES_MAX = 64;

interface Range {
  readonly from: number;
  readonly to: number;
  readonly file: string;
}

/** Finds the font of an East Asian character, and opens it when it is first needed. */
export function eastAsianFont(parse: Parse): (codePoint: number) => Font | null {
  const ranges = new Map<string, readonly Range[]>();
  const openFonts = new Map<string, Font>();
  const open = (name: string, file: string): Font | null => {
    const before = openFonts.get(file);
    if (before !== undefined || openFonts.size >= FILES_MAX) return before ?? null;
    const font = openThin(parse, `${name}-${openFonts.size}`, file);
    openFonts.set(file, font);
    return font;
  };
  return (codePoint) => {
    if (!WRITTEN_SO.test(String.fromCodePoint(codePoint))) return null;
    for (const { name, list } of PACKAGES) {
      const of = ranges.get(name) ?? rangesOf(name, list());
      ranges.set(name, of);
      const range = of.find(({ from, to }) => codePoint >= from && codePoint <= to);
      const font = range === undefined ? null : open(name, range.file);
      if (font?.covers(codePoint)) return font;
    }
    return null;
  };
}

/** Reads a list such as `{"[4]": "U+1f1e9-1f1f5,U+1f21a", …}`: file 4 has these characters. Files of other scripts have names instead of numbers. */
function rangesOf(name: string, list: string): Range[] {
  const files = JSON.parse(readFileSync(list, 'utf8')) as Readonly<Record<string, string>>;
  return Object.entries(files).flatMap(([key, text]) => {
    const number = /^\[(\d+)\]$/.exec(key)?.[1];
    if (number === undefined) return [];
    const file = join(dirname(list), 'files', `${name}-${number}-wght-normal.woff2`);
    return text.split(',').map((range) => {
      const [from = NaN, to = from] = range
        .slice(2)
        .split('-')
        .map((hex) => parseInt(hex, 16));
      return { from, to, file };
    });
  });
}
