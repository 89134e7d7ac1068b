import { codePointNumber } from '@assurance/kernel/shown/visible';

/** Characters that are invisible or change others around them: controls, direction marks, zero-width blanks, private use, … */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Variation selectors change the look of an emoji or a letter. A text loses nothing without them. */
const VARIANT = /[\ufe00-\ufe0f]/;
const MARK = /\p{M}/u;
/** More marks on one letter would overlap the lines above. */
const MARKS_MAX = 3;
const TEXT_MAX = 1_000;

/**
 * Converts a text that others chose to a form that the report can show. Every character is visible, none changes the text around it, and only the
 * report breaks lines. A character that no font has or that is invisible becomes its Unicode number, such as `⟨U+202E⟩`.
 *
 * @param covers whether a font has a character
 * @param max characters; a note replaces the rest
 */
export function printableText(text: string, covers: (codePoint: number) => boolean, max = TEXT_MAX): string {
  const characters: string[] = [];
  let marks = 0;
  let count = 0;
  // Only the first characters are normalized, because a text may be very long.
  for (const character of text
    .slice(0, max * 2)
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')) {
    if (count === max) break;
    count += 1;
    const code = character.codePointAt(0) ?? 0;
    marks = MARK.test(character) ? marks + 1 : 0;
    if (character === '\n') characters.push('↵ ');
    else if (VARIANT.test(character)) continue;
    else if (character === '\t' || /\p{Zs}/u.test(character)) characters.push(' ');
    else if (UNSEEN.test(character) || marks > MARKS_MAX || !covers(code)) characters.push(codePointNumber(code));
    else characters.push(character);
  }
  const printable = characters.join('');
  return text.length > max && [...text.slice(0, max * 2 + 2)].length > max
    ? `${printable}… (cut after ${max} characters)`
    : printable;
}
