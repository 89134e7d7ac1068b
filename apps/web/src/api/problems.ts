const PATTERN = /^String should match pattern '(.*)'$/s;
const PLACE = /^(.*) \((line \d+, column \d+)\)$/s;
const LONG = /^Input should have at most (\d+) characters$/;
/** A pattern of a set of characters, perhaps after another one for the first character and after excluded words. */
const SET = /^\^(?:\(\?!\(([^)]*)\)\$\))?(\[[^\]^]*\])?(\[[^\]^]*\])[*+]\$$/;

/** What fields accept whose patterns are no sets of characters, by a part of the pattern. */
const WORDS: readonly (readonly [part: string, words: string])[] = [
  ['{40}', '40 or 64 digits from 0 to 9 and a to f'],
  ['{64}', '64 digits from 0 to 9 and a to f'],
  ['http', 'An address that begins with http:// or https://'],
  ['://', 'An address that ends in /v1'],
  ['@', 'An email address, such as ada@example.com'],
  ['\\d{4}-', 'A date such as 2026-11-02, with or without a time'],
  ['pkg:', 'A package URL such as pkg:npm/lodash'],
  ['custom:', 'custom: and a name'],
  ['1\\.0', '1.0'],
  ['\\x00', 'No control characters, and no spaces at the ends'],
  ['\\S', 'Some text, without spaces at the ends'],
];

/** Says in words what the API says of a wrong field, after the place in a file. The input is left out: readers see it in the field. */
export function wordsOfProblem(message: string): string {
  const [, before = message, place] = PLACE.exec(message) ?? [];
  const text = withoutInput(before);
  const [pattern, most] = [PATTERN, LONG].map((form) => form.exec(text)?.[1]);
  const words =
    pattern !== undefined ? wordsOfPattern(pattern) : most !== undefined ? `At most ${most} characters` : text;
  return place === undefined ? words : `${place.replace('l', 'L')}: ${words}`;
}

/** Without `[input: …]` at the end. */
function withoutInput(message: string): string {
  const at = message.indexOf('[input: ');
  return at !== -1 && message.endsWith(']') ? message.slice(0, at).replace(/ $/, '') : message;
}

function wordsOfPattern(pattern: string): string {
  const [, excluded, first, all] = SET.exec(pattern) ?? [];
  if (all === undefined) return WORDS.find(([part]) => pattern.includes(part))?.[1] ?? 'Not in the form that is needed';
  const begins =
    first === undefined ? '' : `; begins with a ${joinWords(charactersOf(first), 'or').replaceAll(/s\b/g, '')}`;
  const not = excluded === undefined ? '' : `; not ${joinWords(excluded.split('|'), 'or')}`;
  const words = joinWords(charactersOf(all), 'and');
  return words.charAt(0).toUpperCase() + words.slice(1) + begins + not;
}

/** The members of a set such as `[a-z0-9\-]`. */
function charactersOf(set: string): readonly string[] {
  const members = set.slice(1, -1).replaceAll('\\', '');
  return [
    ...(/a-z/i.test(members) ? ['letters'] : []),
    ...(members.includes('0-9') ? ['digits'] : []),
    ...members.replaceAll(/a-z|A-Z|0-9/g, ''),
  ];
}

const joinWords = (words: readonly string[], last: string): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
