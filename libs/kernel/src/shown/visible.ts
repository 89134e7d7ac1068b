/**
 * Characters that change the order in which others are shown (Unicode Bidirectional Algorithm, UAX 9), and that nobody sees. With them
 * `exe.gpj` can look like `gpj.exe`.
 */
const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** A text for people, in which characters that change the order of others are shown by their number, such as `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  return text.replace(DIRECTIONS, (character) => codePointNumber(character.charCodeAt(0)));
}

/** A text of JSON with the same value, in which these characters are escaped, such as `\u202e`. */
export function escapeDirections(json: string): string {
  return json.replace(DIRECTIONS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The visible number of a character. */
export function codePointNumber(code: number): string {
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
