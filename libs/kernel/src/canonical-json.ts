import { isRawNumber } from './exact-json';

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * The canonical JSON text of a value (RFC 8785): keys sorted by UTF-16 code units, no white space, numbers as ECMAScript
 * prints them. A number that no double holds is written as it was sent. Equal values have equal texts, so texts can be
 * hashed and compared.
 *
 * `undefined` properties are left out, as `JSON.stringify` does.
 *
 * @throws TypeError for what RFC 8785 refuses: NaN, infinities, lone surrogates, and values that are not JSON.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('canonical JSON has no NaN and no infinities');
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return array(value);
      // Dates, maps and sets have no own properties. If they were written as `{}`, all of them would be equal.
      if (Object.prototype.toString.call(value) !== '[object Object]') throw unsupportedValue(value);
      return isRawNumber(value) ? value.rawJSON : object(value as Record<string, unknown>);
    default:
      throw unsupportedValue(value);
  }
}

function unsupportedValue(value: unknown): TypeError {
  return new TypeError(`canonical JSON cannot hold ${Object.prototype.toString.call(value)}`);
}

function quote(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('canonical JSON refuses lone surrogates');
  return JSON.stringify(text);
}

function array(values: readonly unknown[]): string {
  let text = '';
  for (let i = 0; i < values.length; i += 1)
    text += i === 0 ? canonicalJson(values[i]) : `,${canonicalJson(values[i])}`;
  return `[${text}]`;
}

function object(value: Record<string, unknown>): string {
  let text = '';
  for (const key of sortedKeys(value)) {
    const member = value[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${canonicalMember(key)}${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Objects with more keys are rare: only users make them. */
const FEW = 32;

/** The keys of an object by UTF-16 code units. For a few keys, insertion takes a third of the time of `sort`, and no memory. */
export function sortedKeys(value: object): string[] {
  const sorted = Object.keys(value);
  if (sorted.length > FEW) return sorted.sort();
  for (let i = 1; i < sorted.length; i += 1) {
    const key = sorted[i] as string;
    let at = i;
    for (; at > 0 && (sorted[at - 1] as string) > key; at -= 1) sorted[at] = sorted[at - 1] as string;
    sorted[at] = key;
  }
  return sorted;
}

const KEYS_MAX = 1_000;
/** Longer keys are rare and chosen by callers, so they are not cached. */
const KEY_LENGTH_MAX = 64;
/** The canonical text of keys. Most objects have the same keys as others. */
const keys = new Map<string, string>();

/** The canonical text of a key, with its colon. */
export function canonicalMember(key: string): string {
  const cachedText = keys.get(key);
  if (cachedText !== undefined) return cachedText;
  const text = `${quote(key)}:`;
  if (keys.size < KEYS_MAX && key.length <= KEY_LENGTH_MAX) keys.set(key, text);
  return text;
}
