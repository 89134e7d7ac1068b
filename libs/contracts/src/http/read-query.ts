import { echo, input, nearestName } from '@assurance/kernel';
import { type FieldErrors, type Param, type QueryOf, type QueryShape, type Read, separatedByCommas } from './params';
import type { JsonSchema } from './shape';

/** The limits of whole numbers in queries: at most 15 digits. */
const WHOLE = { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 };

/** A parameter as documents describe it. */
export function describeParam({ schema: { description, ...schema } }: Param<unknown>) {
  return { description, schema: schema['type'] === 'integer' ? { ...WHOLE, ...schema } : (schema as JsonSchema) };
}

/**
 * Reads a query by its shape. A parameter that the shape does not know is an error under its name.
 *
 * @param raw the parsed query of the HTTP server: a text, or several if the key was repeated
 */
export function readQuery<Q extends QueryShape>(shape: Q, raw: Readonly<Record<string, unknown>>): ReadQuery<Q> {
  if (Object.keys(raw).length > 0) return readParams(shape, raw);
  const cachedQuery = emptyQueries.get(shape) as ReadQuery<Q> | undefined;
  const query = cachedQuery ?? readParams(shape, raw);
  if (cachedQuery === undefined) emptyQueries.set(shape, Object.freeze(query));
  return query;
}

type ReadQuery<Q extends QueryShape> = { readonly value: QueryOf<Q> } | { readonly errors: FieldErrors };

/** What the shape of each route reads where nothing is sent, as in most reports. */
const emptyQueries = new WeakMap<QueryShape, ReadQuery<QueryShape>>();

function readParams<Q extends QueryShape>(shape: Q, raw: Readonly<Record<string, unknown>>): ReadQuery<Q> {
  const errors = new Map<string, string>();
  const values = new Map<string, unknown>();
  for (const name of Object.keys(raw)) {
    if (!Object.hasOwn(shape, name)) errors.set(echo(name), unknownParameter(name, Object.keys(shape)));
  }
  for (const [name, param] of Object.entries(shape)) {
    const read = readParam(param, textsOf(Object.hasOwn(raw, name) ? raw[name] : undefined));
    if ('problem' in read) errors.set(name, read.problem);
    else values.set(name, read.value);
  }
  if (errors.size > 0) return { errors: Object.fromEntries(errors) };
  return { value: Object.fromEntries(values) as QueryOf<Q> };
}

function unknownParameter(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return nearest === null ? 'Unknown parameter. The route takes none' : `Unknown parameter. Did you mean '${nearest}'?`;
}

function textsOf(raw: unknown): readonly string[] {
  if (raw === undefined) return [];
  return (Array.isArray(raw) ? raw : [raw]).map(String);
}

/** The keywords of JSON Schema that decide how a text is read. */
interface Keywords {
  readonly type?: string | readonly string[];
  readonly items?: Keywords;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

function readParam(param: Param<unknown>, texts: readonly string[]): Read<unknown> {
  const schema: Keywords = param.schema;
  if (schema.items !== undefined) return readList(schema.items, param.separate?.(texts) ?? texts);
  if (texts.length > 1) return { problem: 'May be given only once' };
  const [text] = texts;
  const isNullable = Array.isArray(schema.type);
  if (text === undefined && param.required) return { problem: 'Field required' };
  if (text === undefined || (isNullable && (text === '' || text === 'null'))) {
    return { value: isNullable ? null : schema.default };
  }
  if (param.read !== undefined) return param.read(text);
  switch (isNullable ? schema.type?.[0] : schema.type) {
    case 'integer':
      return readInteger(schema, text);
    case 'boolean':
      return readFlag(schema, text);
    default:
      return readText(schema, text);
  }
}

/** Texts, or words of an `enum`, which commas separate too. */
function readList({ enum: words }: Keywords, texts: readonly string[]): Read<readonly string[]> {
  if (words === undefined) return texts.includes('') ? { problem: 'Input should not be empty' } : { value: texts };
  const value = separatedByCommas(texts);
  const odd = value.find((text) => !words.includes(text));
  return odd === undefined ? { value } : { problem: `Input should be ${quoteWords(words).join(', ')} ${input(odd)}` };
}

const quoteWords = (words: readonly string[]) => words.map((word) => `'${word}'`);

/** A whole number in plain decimal digits: no sign, no point, no exponent. */
function readInteger({ minimum = 0, maximum }: Keywords, text: string): Read<number> {
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= minimum && value <= (maximum ?? Infinity)) return { value };
  const limits = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  return { problem: `Input should be a whole number ${limits}, in decimal digits ${input(text)}` };
}

/** The spellings of a boolean that clients of several languages use, in any letter case. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

/** A boolean. `all` means null where that is a value. */
function readFlag({ type, default: otherwise }: Keywords, text: string): Read<unknown> {
  if (text === '') return { value: otherwise };
  if (text === 'all' && type !== 'boolean') return { value: null };
  const value = BOOLEANS.get(text.toLowerCase());
  return value === undefined ? { problem: `Input should be 'true' or 'false' ${input(text)}` } : { value };
}

function readText({ enum: words, minLength, default: otherwise }: Keywords, text: string): Read<unknown> {
  if (text === '') return minLength === undefined ? { value: otherwise } : { problem: 'Input should not be empty' };
  if (words === undefined || words.includes(text)) return { value: text };
  return { problem: `Input should be ${quoteWords(words).join(' or ')} ${input(text)}` };
}
