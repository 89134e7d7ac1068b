/** The order of texts by UTF-16 code units. */
export function compareTexts(a: string, b: string): number {
  // Most texts are equal, and testing for equality is faster than comparing order.
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The beginning of a text, at most `max` UTF-16 units. It never splits a surrogate pair. */
export function beginningOf(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, isPairAt(text, max - 1) ? max - 1 : max);
}

/** The end of a text, at most `max` UTF-16 units. It never splits a surrogate pair. */
export function endOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const from = text.length - max;
  return text.slice(isPairAt(text, from - 1) ? from + 1 : from);
}

/** Whether the UTF-16 units at `index` and `index + 1` are one character. */
export function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}

/**
 * A text without the characters at its end that `character` matches. The time is linear in the length; `/[…]+$/` takes quadratic time.
 *
 * @param character an expression for one character, without the flags `g` and `y`
 */
export function trimEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The same at both ends. */
export function trimBoth(text: string, character: RegExp): string {
  const trimmed = trimEnd(text, character);
  let start = 0;
  while (start < trimmed.length && character.test(trimmed.charAt(start))) start += 1;
  return trimmed.slice(start);
}

/** Decodes the %-codes of a text. The text stays unchanged if they cannot be decoded. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
