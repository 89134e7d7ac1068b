import { err, ok, type Result } from '@assurance/kernel';
import { type Operator, OPERATORS } from './ast';

/** A problem of an expression and its position in the text, from 0. */
export interface ExpressionProblem {
  readonly at: number;
  readonly text: string;
}

type TokenContent =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  /** A keyword, a function or a path. */
  | { readonly kind: 'word'; readonly value: string }
  | { readonly kind: 'operator'; readonly value: Operator }
  | { readonly kind: 'mark'; readonly value: '(' | ')' | '[' | ']' | ',' }
  | { readonly kind: 'end' };
export type Token = TokenContent & { readonly at: number };

const BLANK = /[ \t\r\n]*/y;
const NUMBER = /-?\d{1,15}(\.\d{1,15})?(?![\w.])/y;
/** Keys of tags may have dots, hyphens and tildes. */
const WORD = /[A-Za-z][\w.~-]*/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'" };

/** Cuts a text into tokens, in time linear in its length. The last one is the end. */
export function tokens(text: string): Result<Token[], ExpressionProblem> {
  const results: Token[] = [];
  for (let at = 0; ;) {
    at += matchAt(BLANK, text, at).length;
    if (at >= text.length) return ok([...results, { kind: 'end', at: text.length }]);
    const read = readToken(text, at);
    if (!read.ok) return read;
    results.push({ ...read.value.content, at });
    at = read.value.end;
  }
}

function readToken(
  text: string,
  at: number,
): Result<{ readonly content: TokenContent; readonly end: number }, ExpressionProblem> {
  const letter = text.charAt(at);
  if (letter === '"' || letter === "'") return readQuoted(text, at, letter);
  const number = matchAt(NUMBER, text, at);
  if (number !== '') return ok({ content: { kind: 'number', value: Number(number) }, end: at + number.length });
  const word = matchAt(WORD, text, at);
  if (word !== '') return ok({ content: { kind: 'word', value: word }, end: at + word.length });
  const operator = OPERATORS.find((candidate) => text.startsWith(candidate, at));
  if (operator !== undefined) return ok({ content: { kind: 'operator', value: operator }, end: at + operator.length });
  switch (letter) {
    case '(':
    case ')':
    case '[':
    case ']':
    case ',':
      return ok({ content: { kind: 'mark', value: letter }, end: at + 1 });
    default:
      return err({ at, text: `'${String.fromCodePoint(text.codePointAt(at) ?? 0)}' has no meaning here` });
  }
}

/** A backslash that escapes nothing stays, so that patterns can be written as they are. */
function readQuoted(
  text: string,
  from: number,
  quote: string,
): Result<{ readonly content: TokenContent; readonly end: number }, ExpressionProblem> {
  let value = '';
  for (let at = from + 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === quote) return ok({ content: { kind: 'text', value }, end: at + 1 });
    const escaped = letter === '\\' ? ESCAPES[text.charAt(at + 1)] : undefined;
    value += escaped ?? letter;
    if (escaped !== undefined) at += 1;
  }
  return err({ at: from, text: 'This text has no end' });
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
