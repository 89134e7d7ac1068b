import { canonicalJson, canonicalMember, sortedKeys } from './canonical-json';
import { endOfText, endOfValue, isRawNumber, parseExact } from './exact-json';
import { ITEMS_A_STEP, Slices } from './slices';
import { isPairAt } from './text';

/** How much is read or written in one step (characters). */
const PIECE = 32 * 1024;
/** A value that contains more values than this is processed in parts. */
const VALUES = 1_000;

const [QUOTE, COMMA, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x2c, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Whether reading or writing a value takes more than one step. It reads only a bounded part of the value. */
export function isLarge(value: unknown): boolean {
  const open = [value];
  let [values, characters] = [0, 0];
  for (let at = 0; at < open.length; at += 1) {
    const item = open[at];
    if (typeof item === 'string') characters += item.length;
    else if (typeof item === 'object' && item !== null) {
      const members: unknown[] = Array.isArray(item) ? item : Object.values(item);
      values += members.length;
      if (values > VALUES) return true;
      for (const member of members) open.push(member);
    }
    if (characters > PIECE) return true;
  }
  return false;
}

/** `canonicalJson` in slices. It may pause at any depth. @throws TypeError as `canonicalJson` does */
export async function canonicalDeepInSlices(value: unknown, slices: Slices = new Slices()): Promise<string> {
  if (!isLarge(value)) return canonicalJson(value);
  if (typeof value === 'string') return quotedInSlices(value, slices);
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return canonicalJson(value);
  const isList = Array.isArray(value);
  const parts: string[] = [];
  let writtenTo = 0;
  for (const key of isList ? value.keys() : sortedKeys(value)) {
    const member = (value as Record<string | number, unknown>)[key];
    if (!isList && member === undefined) continue;
    const text = isLarge(member) ? await canonicalDeepInSlices(member, slices) : canonicalJson(member);
    parts.push(isList ? text : `${canonicalMember(String(key))}${text}`);
    writtenTo += text.length;
    if (writtenTo >= PIECE || parts.length % ITEMS_A_STEP === 0) {
      writtenTo = 0;
      if (slices.over) await slices.next();
    }
  }
  return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

/** Writes a text as a JSON string, in slices. */
export async function quotedInSlices(text: string, slices: Slices = new Slices()): Promise<string> {
  let quoted = '"';
  for (let from = 0; from < text.length;) {
    const end = Math.min(text.length, from + PIECE);
    const to = end < text.length && isPairAt(text, end - 1) ? end + 1 : end;
    quoted += canonicalJson(text.slice(from, to)).slice(1, -1);
    from = to;
    if (slices.over) await slices.next();
  }
  return `${quoted}"`;
}

/**
 * `parseExact` in slices. It may pause at any depth.
 *
 * @param text valid JSON without white space between its tokens
 */
export async function parseDeepInSlices(text: string, slices: Slices = new Slices()): Promise<unknown> {
  if (text.length <= PIECE) return parseExact(text);
  return valueAt({ text, ends: await largeEnds(text, slices), slices }, 0);
}

interface TextReading {
  readonly text: string;
  /** The end of each list, object and string that is longer than `PIECE`, by its beginning (indexes). */
  readonly ends: ReadonlyMap<number, number>;
  readonly slices: Slices;
}

async function largeEnds(text: string, slices: Slices): Promise<ReadonlyMap<number, number>> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  const note = (from: number, end: number) => {
    if (end - from > PIECE) ends.set(from, end);
  };
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfText(text, at);
      note(at, end);
      at = end - 1;
    } else if (code === LIST || code === OBJECT) open.push(at);
    else if (code === LIST_END || code === OBJECT_END) note(open.pop() ?? 0, at + 1);
    if (at - count > PIECE) {
      count = at;
      if (slices.over) await slices.next();
    }
  }
  return ends;
}

async function valueAt(textReading: TextReading, from: number): Promise<unknown> {
  const { text, ends } = textReading;
  const end = ends.get(from);
  if (end === undefined) return parseExact(text.slice(from, endOfValue(text, from)));
  switch (text.charCodeAt(from)) {
    case LIST:
      return listAt(textReading, from);
    case OBJECT:
      return objectAt(textReading, from);
    default:
      return unquote(textReading, from, end);
  }
}

async function listAt(textReading: TextReading, from: number): Promise<unknown[]> {
  const { text, ends, slices } = textReading;
  const items: unknown[] = [];
  const take = (to: number) => {
    if (to > start) for (const item of parseExact(`[${text.slice(start, to)}]`) as unknown[]) items.push(item);
  };
  let start = from + 1;
  for (let at = start; ;) {
    const largeEnd = ends.get(at);
    if (largeEnd !== undefined) {
      take(at - 1);
      items.push(await valueAt(textReading, at));
      start = largeEnd + 1;
    }
    at = largeEnd ?? endOfValue(text, at);
    const isLast = text.charCodeAt(at) !== COMMA;
    if (isLast || at - start >= PIECE) {
      take(at);
      if (isLast) return items;
      start = at + 1;
      if (slices.over) await slices.next();
    }
    at += 1;
  }
}

async function objectAt(textReading: TextReading, from: number): Promise<object> {
  const { text, ends, slices } = textReading;
  const object: Record<string, unknown> = {};
  const set = (key: string, value: unknown) => {
    if (key !== '__proto__') object[key] = value;
    else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  };
  const take = (to: number) => {
    if (to <= start) return;
    for (const [key, value] of Object.entries(parseExact(`{${text.slice(start, to)}}`) as object)) set(key, value);
  };
  let start = from + 1;
  for (let at = start; ;) {
    const colon = ends.get(at) ?? endOfText(text, at);
    const largeEnd = ends.get(colon + 1);
    if (largeEnd !== undefined) {
      take(at - 1);
      set(JSON.parse(text.slice(at, colon)) as string, await valueAt(textReading, colon + 1));
      start = largeEnd + 1;
    }
    at = largeEnd ?? endOfValue(text, colon + 1);
    const isLast = text.charCodeAt(at) !== COMMA;
    if (isLast || at - start >= PIECE) {
      take(at);
      if (isLast) return object;
      start = at + 1;
      if (slices.over) await slices.next();
    }
    at += 1;
  }
}

/** Parses a long JSON string in pieces. It cuts between escapes. */
async function unquote({ text, slices }: TextReading, from: number, end: number): Promise<string> {
  let read = '';
  for (let at = from + 1; at < end - 1;) {
    const to = betweenEscapes(text, at, Math.min(end - 1, at + PIECE));
    read += JSON.parse(`"${text.slice(at, to)}"`) as string;
    at = to;
    if (slices.over) await slices.next();
  }
  return read;
}

/** An index near `to` where a cut does not split an escape. `from` must be such an index. */
function betweenEscapes(text: string, from: number, to: number): number {
  if (text.charCodeAt(to) === QUOTE && to - from < PIECE) return to;
  const last = text.lastIndexOf('\\', to - 1);
  if (last < from || last < to - 5) return to;
  let first = last;
  while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  // Two backslashes are one escape. A single remaining backslash begins another escape.
  const remaining = (last - first + 1) % 2;
  if (remaining === 0) return last + 1;
  return last > from ? last : last + (text[last + 1] === 'u' ? 6 : 2);
}
