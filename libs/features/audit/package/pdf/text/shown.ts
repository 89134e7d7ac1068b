/** Characters that are invisible or change others around them: controls, direction marks, zero-width blanks, private use, … */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** How an emoji or a letter should look: nothing of a text is lost without. */
const VARIANT = /[\ufe00-\ufe0f]/;
const MARK = /\p{M}/u;
/** More marks upon one letter would run into the lines above. */
const MARKS_MAX = 3;
const TEXT_MAX = 1_000;

/**
 * A text that others chose, as the report shows it: all of it can be seen, none of it moves what is around it, and no line breaks but where we
 * break it. What no font has, and what would be unseen, is its Unicode number, such as `⟨U+202E⟩`.
 *
 * @param covers whether some font has a character
 * @param max characters; the rest is said to be missing
 */
export function printableText(text: string, covers: (codePoint: number) => boolean, max = TEXT_MAX): string {
  const out: string[] = [];
  let marks = 0;
  let count = 0;
  // Of the first characters alone: a text may be longer than memory likes.
  for (const character of text
    .slice(0, max * 2)
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')) {
    if (count === max) break;
    count += 1;
    const code = character.codePointAt(0) ?? 0;
    marks = MARK.test(character) ? marks + 1 : 0;
    if (character === '\n') out.push('↵ ');
    else if (VARIANT.test(character)) continue;
    else if (character === '\t' || /\p{Zs}/u.test(character)) out.push(' ');
    else if (UNSEEN.test(character) || marks > MARKS_MAX || !covers(code)) out.push(numberOf(code));
    else out.push(character);
  }
  const whole = out.join('');
  return text.length > max && [...text.slice(0, max * 2 + 2)].length > max
    ? `${whole}… (cut after ${max} characters)`
    : whole;
}

function numberOf(code: number): string {
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
