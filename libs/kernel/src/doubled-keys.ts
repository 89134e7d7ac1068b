import { endOfText, type ScannedJson } from './exact-json';

const [QUOTE, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The path of a key that occurs twice in one object; null if there is none. `JSON.parse` would keep only the last value
 * of that key. For most texts, a comparison of the numbers of keys shows that there is none.
 *
 * @param text valid JSON
 * @param scan the result of `scanJson` for it
 * @param value the result of `JSON.parse` for it
 * @param isRelevant whether a key counts, by the path of its object
 */
export function findDuplicateKey(
  text: string,
  scan: ScannedJson,
  value: unknown,
  isRelevant: (path: readonly string[]) => boolean = () => true,
): string[] | null {
  return keysOf(value) === scan.keys ? null : firstDuplicate(text, isRelevant);
}

/** How many keys all objects of a value have together. */
function keysOf(value: unknown): number {
  let count = 0;
  const open = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    const members: unknown[] = Array.isArray(item) ? item : Object.values(item);
    // A `RawNumber` has no prototype. It is a number in the text, not an object.
    if (members !== item && Object.getPrototypeOf(item) !== null) count += members.length;
    for (const member of members) if (typeof member === 'object' && member !== null) open.push(member);
  }
  return count;
}

/** An object or list around the current position: the keys of an object so far; null for a list. */
interface Container {
  readonly keys: Set<string> | null;
  /** The current key, or the current index. */
  name: string;
}

function firstDuplicate(text: string, isRelevant: (path: readonly string[]) => boolean): string[] | null {
  const open: Container[] = [];
  let isKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const inner = open.at(-1);
    switch (text.charCodeAt(at)) {
      case OBJECT:
        open.push({ keys: new Set(), name: '' });
        isKey = true;
        break;
      case LIST:
        open.push({ keys: null, name: '0' });
        isKey = false;
        break;
      case OBJECT_END:
      case LIST_END:
        open.pop();
        isKey = false;
        break;
      case COMMA:
        if (inner !== undefined && inner.keys === null) inner.name = String(Number(inner.name) + 1);
        isKey = inner?.keys != null;
        break;
      case QUOTE: {
        const end = endOfText(text, at);
        if (isKey && inner?.keys != null) {
          const key = JSON.parse(text.slice(at, end)) as string;
          const above = open.slice(0, -1).map(({ name }) => name);
          if (inner.keys.has(key) && isRelevant(above)) return [...above, key];
          inner.keys.add(key);
          inner.name = key;
          isKey = false;
        }
        at = end - 1;
      }
    }
  }
  return null;
}
