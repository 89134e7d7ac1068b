/** The type of a field for clients: `s` a text, `n` a number, `b` true or false, `o` an object of anything, `*` anything; with `?` or null. */
type Leaf = 's' | 'n' | 'b' | 'o' | '*' | 's?' | 'n?' | 'b?';
/** A type of answers. A key that ends in `?` may be left out; the key `*` stands for all keys of a map. */
export type Kind = Leaf | readonly [Kind] | Fields | Nil;
export interface Fields {
  readonly [key: string]: Kind;
}
interface Nil {
  readonly nil: () => Kind;
}
/** The kind, or null. */
export const nil = (kind: Kind): Nil => ({ nil: () => kind });

/** Which fields that may be null or left out were ever there, by their names. */
export type Filled = Map<string, boolean>;

/**
 * Where an answer is not of a kind: nothing where it is.
 *
 * @param at where the value is, for people
 */
export function problemsOf(kind: Kind, value: unknown, at: string, filled: Filled): string[] {
  if (typeof kind === 'string') return leafProblems(kind, value, at, filled);
  if ('nil' in kind && typeof kind.nil === 'function') {
    note(filled, at, value !== null);
    return value === null ? [] : problemsOf((kind as Nil).nil(), value, at, filled);
  }
  if (Array.isArray(kind)) {
    if (!Array.isArray(value)) return [`${at} is no list: ${JSON.stringify(value)}`];
    return value.flatMap((one) => problemsOf((kind as readonly [Kind])[0], one, `${at}[]`, filled));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${at} is no object: ${JSON.stringify(value)}`];
  }
  return fieldProblems(kind as Readonly<Record<string, Kind>>, value as Row, at, filled);
}

type Row = Readonly<Record<string, unknown>>;

function fieldProblems(fields: Readonly<Record<string, Kind>>, value: Row, at: string, filled: Filled): string[] {
  const all = fields['*'];
  if (all !== undefined) return Object.values(value).flatMap((one) => problemsOf(all, one, `${at}.*`, filled));
  const odd = Object.keys(value).filter((name) => !(name in fields) && !(`${name}?` in fields));
  return [
    ...odd.map((name) => `${at}.${name} is not in the table`),
    ...Object.entries(fields).flatMap(([name, kind]) => {
      const [bare, optional] = name.endsWith('?') ? [name.slice(0, -1), true] : [name, false];
      const there = Object.hasOwn(value, bare);
      if (optional) note(filled, `${at}.${bare}`, there);
      if (!there) return optional ? [] : [`${at}.${bare} is not there`];
      return problemsOf(kind, value[bare], `${at}.${bare}`, filled);
    }),
  ];
}

const TYPES = { s: 'string', n: 'number', b: 'boolean' } as const;

function leafProblems(leaf: Leaf, value: unknown, at: string, filled: Filled): string[] {
  if (leaf === '*') return [];
  if (leaf === 'o') return typeof value === 'object' && value !== null ? [] : [`${at} is no object`];
  if (leaf.endsWith('?')) {
    note(filled, at, value !== null);
    if (value === null) return [];
  }
  const type = TYPES[leaf[0] as keyof typeof TYPES];
  return typeof value === type ? [] : [`${at} is no ${type}: ${JSON.stringify(value)}`];
}

function note(filled: Filled, at: string, there: boolean): void {
  const name = at.slice(at.lastIndexOf('.') + 1);
  filled.set(name, (filled.get(name) ?? false) || there);
}
