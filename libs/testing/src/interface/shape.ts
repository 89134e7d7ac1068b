/**
 * A shape of JSON, as the table of the public interface writes it: `{ name: text, tags?: { *: text } | null }`. `?` after a name means that the
 * property may be absent, `*` stands for all keys of a map, `closed` before an object means that it has no other properties, and `...Name` takes
 * over the properties of a named shape.
 */
export type Shape =
  | { readonly is: 'leaf'; readonly name: Leaf }
  | { readonly is: 'list'; readonly of: Shape }
  | { readonly is: 'union'; readonly of: readonly Shape[] }
  | ObjectShape;

export interface ObjectShape {
  readonly is: 'object';
  readonly closed: boolean;
  readonly fields: Readonly<Record<string, Field>>;
}

interface Field {
  readonly optional: boolean;
  readonly shape: Shape;
}

/** `json` is a text that holds JSON, or the JSON itself. */
const LEAVES = ['text', 'int', 'number', 'bool', 'null', 'object', 'any', 'file', 'json'] as const;
export type Leaf = (typeof LEAVES)[number];

const TOKEN = /\s*(\.\.\.|[[\]{}:,|?]|\*|[\w-]+)/y;

/**
 * Reads a shape.
 *
 * @param names the texts of the shapes that it may name
 * @throws Error on a text that is no shape
 */
export function shapeOf(text: string, names: Readonly<Record<string, string>>): Shape {
  const tokens = tokensOf(text);
  let at = 0;
  const fail = (): never => {
    throw new Error(`'${text}' is no shape: see token ${at}, '${tokens[at] ?? 'its end'}'`);
  };
  const takes = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };

  function union(): Shape {
    const all = [parseOne()];
    while (takes('|')) all.push(parseOne());
    return all.length === 1 && all[0] !== undefined ? all[0] : { is: 'union', of: all };
  }

  function parseOne(): Shape {
    if (takes('[')) {
      const of = union();
      return takes(']') ? { is: 'list', of } : fail();
    }
    if (tokens[at] === '{' || tokens[at] === 'closed') return object();
    const name = tokens[at++] ?? fail();
    if (LEAVES.includes(name as Leaf)) return { is: 'leaf', name: name as Leaf };
    return byName(name);
  }

  function byName(name: string): Shape {
    const other = names[name];
    return other === undefined ? fail() : shapeOf(other, names);
  }

  function object(): Shape {
    const closed = takes('closed');
    if (!takes('{')) fail();
    const fields: Record<string, Field> = {};
    while (!takes('}')) {
      if (takes('...')) {
        const other = byName(tokens[at++] ?? '');
        Object.assign(fields, other.is === 'object' ? other.fields : fail());
      } else {
        const name = tokens[at++] ?? fail();
        const optional = takes('?');
        if (!takes(':')) fail();
        fields[name] = { optional, shape: union() };
      }
      takes(',');
    }
    return { is: 'object', closed, fields };
  }

  const whole = union();
  return at === tokens.length ? whole : fail();
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const whole = text.trimEnd();
  while (TOKEN.lastIndex < whole.length) {
    const start = TOKEN.lastIndex;
    const token = TOKEN.exec(whole)?.[1];
    if (token === undefined) throw new Error(`'${text}' has something odd at ${start}`);
    tokens.push(token);
  }
  return tokens;
}

/** The alternatives of a shape. */
export const alternatives = (shape: Shape): readonly Shape[] =>
  shape.is === 'union' ? shape.of.flatMap(alternatives) : [shape];
