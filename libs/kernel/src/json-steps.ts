import { canonicalJson, canonicalMember, sortedKeys } from './canonical-json';
import { endOfText, endOfValue } from './exact-json';
import { ITEMS_A_STEP, Slices } from './slices';

/** Shorter texts are parsed at once (characters). */
const SHORT = 64 * 1024;
/** How much of a list is parsed in one step (characters). */
const PIECE = 32 * 1024;

const COMMA = 0x2c;
const LIST = 0x5b;
const LIST_END = 0x5d;

/**
 * `canonicalJson` in slices. It pauses only within lists that are direct members of the value.
 *
 * @throws TypeError as `canonicalJson` does
 */
export async function canonicalJsonInSlices(value: unknown, slices: Slices = new Slices()): Promise<string> {
  if (Object.prototype.toString.call(value) !== '[object Object]') return canonicalJson(value);
  let text = '';
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of sortedKeys(members)) {
    const member = members[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${canonicalMember(key)}`;
    if (!Array.isArray(member)) text += canonicalJson(member);
    else {
      for (let from = 0; from < member.length; from += ITEMS_A_STEP) {
        text += `${from === 0 ? '[' : ','}${canonicalJson(member.slice(from, from + ITEMS_A_STEP)).slice(1, -1)}`;
        if (slices.over) await slices.next();
      }
      text += member.length === 0 ? '[]' : ']';
    }
  }
  return `{${text}}`;
}

/**
 * `JSON.parse` in slices. It pauses only within lists that are direct members of the value, so a long text should have
 * most of its content in such lists.
 *
 * @param text valid JSON without white space between its tokens
 * @param parse parses a part of the text
 */
export async function parseJsonInSlices(
  text: string,
  parse: (text: string) => unknown = JSON.parse,
  slices: Slices = new Slices(),
): Promise<unknown> {
  if (text.length <= SHORT || !text.startsWith('{')) return parse(text);
  const members: [string, unknown][] = [];
  for (let at = 1; at < text.length;) {
    const colon = endOfText(text, at);
    const key = JSON.parse(text.slice(at, colon)) as string;
    const from = colon + 1;
    if (text.charCodeAt(from) === LIST) {
      const items: unknown[] = [];
      at = await parseList(text, from, items, parse, slices);
      members.push([key, items]);
    } else {
      at = endOfValue(text, from);
      members.push([key, parse(text.slice(from, at))]);
    }
    // Skips the comma or the closing brace.
    at += 1;
  }
  return Object.fromEntries(members);
}

/** @returns the index after the list */
async function parseList(
  text: string,
  from: number,
  items: unknown[],
  parse: (text: string) => unknown,
  slices: Slices,
): Promise<number> {
  let start = from + 1;
  if (text.charCodeAt(start) === LIST_END) return start + 1;
  for (let at = start; ;) {
    at = endOfValue(text, at);
    const isLast = text.charCodeAt(at) !== COMMA;
    if (isLast || at - start >= PIECE) {
      for (const item of parse(`[${text.slice(start, at)}]`) as unknown[]) items.push(item);
      if (isLast) return at + 1;
      start = at + 1;
      if (slices.over) await slices.next();
    }
    at += 1;
  }
}
