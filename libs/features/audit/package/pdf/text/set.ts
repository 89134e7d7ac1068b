import type { Font } from '../fonts/font';
import type { FontFace, Fonts } from '../fonts/fonts';
import { linesOf } from './breaks';
import { type Direction, directionOf, runsOf } from './order';
import { printableText } from './printable-text';

/** The style of a text. Sizes are in points. */
export interface Style {
  readonly face: FontFace;
  readonly size: number;
  /** Such as `#1a1a1a`. */
  readonly color: string;
}

/** A piece of a line that one font draws. */
export interface TextRun {
  readonly text: string;
  readonly font: Font;
  /** Distance from the beginning of the line. */
  readonly x: number;
}

export interface Line {
  readonly pieces: readonly TextRun[];
  readonly style: Style;
  readonly width: number;
}

/** The distance from one line to the next, as a multiple of the size. */
export const LINE_HEIGHT = 1.35;
const RIGHT_TO_LEFT_LETTER = /[\p{L}\p{M}]/u;

/** Breaks a text of others into lines of a maximum width (points). */
export function setText(fonts: Fonts, text: string, style: Style, width: number): Line[] {
  const { face, size } = style;
  const visible = printableText(text, (codePoint) => fonts.fontFor(codePoint, face) !== null);
  const widthOf = (part: string) => piecesOf(fonts, part, face).reduce((sum, item) => sum + item.wide, 0) * size;
  const direction = directionOf(visible);
  return linesOf(visible, width, widthOf).map((line) => placedLine(fonts, line, style, direction));
}

/** Puts a text on one line. If the text is longer, the line ends in `…`. */
export function setLine(fonts: Fonts, text: string, style: Style, width: number): Line {
  const [first, ...more] = setText(fonts, text, style, width);
  if (first === undefined) return { pieces: [], style, width: 0 };
  if (more.length === 0) return first;
  const [short] = setText(fonts, text, style, width - style.size);
  const { pieces, width: end } = short ?? first;
  const dots = placedLine(fonts, '…', style, 'ltr').pieces.map((piece) => ({ ...piece, x: end }));
  return { pieces: [...pieces, ...dots], style, width };
}

function placedLine(fonts: Fonts, line: string, style: Style, direction: Direction): Line {
  const pieces: TextRun[] = [];
  let x = 0;
  for (const { text, rightToLeft } of runsOf(line, direction)) {
    const parts = piecesOf(fonts, text, style.face);
    for (const { text: part, font, wide } of rightToLeft ? parts.toReversed() : parts) {
      // The shaper reverses right-to-left letters, so only other characters are reversed here.
      const turned = rightToLeft && !RIGHT_TO_LEFT_LETTER.test(part) ? Array.from(part).reverse().join('') : part;
      pieces.push({ text: turned, font, x });
      x += wide * style.size;
    }
  }
  return { pieces, style, width: x };
}

/** The parts of a text. One font draws each part. */
function piecesOf(fonts: Fonts, text: string, face: FontFace) {
  const results: { font: Font; text: string }[] = [];
  for (const character of text) {
    const last = results.at(-1);
    const code = character.codePointAt(0) ?? 0;
    const font =
      last !== undefined && /[\p{M}\s]/u.test(character) && last.font.covers(code)
        ? last.font
        : fonts.fontFor(code, face);
    if (font === null) continue;
    if (last?.font === font) last.text += character;
    else results.push({ font, text: character });
  }
  return results.map((item) => ({ ...item, wide: item.font.widthOf(item.text) }));
}
