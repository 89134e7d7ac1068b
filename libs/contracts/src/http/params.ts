import { echo, input, isTime, nearestName, parseTime, SECONDS_MAX } from '@assurance/kernel';
import { NO_TIME, plainDigits } from './patterns';
import type { JsonSchema } from './shape';

/** One query parameter: its schema, and how its texts are converted to a value. */
export interface Param<T> {
  readonly schema: JsonSchema;
  readonly description: string;
  readonly required: boolean;
  /** Whether the key may be repeated to give several values. */
  readonly repeated: boolean;
  /** @param values the parameter's texts in order; empty if it was not given */
  read(values: readonly string[]): Read<T>;
  /** Never set; it carries the type. */
  readonly type?: T;
}

export type Read<T> = { readonly value: T } | { readonly problem: string };

export type QueryShape = Readonly<Record<string, Param<unknown>>>;
export type QueryOf<Q extends QueryShape> = { readonly [K in keyof Q]: Q[K] extends Param<infer T> ? T : never };
/** One text for each wrong field, by the field's path. */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * A parameter that may be given once.
 *
 * @param read converts its text; undefined if it was not given
 */
function single<T>(schema: JsonSchema, description: string, read: (text: string | undefined) => Read<T>): Param<T> {
  return {
    schema,
    description,
    required: false,
    repeated: false,
    read: (values) => (values.length > 1 ? { problem: 'May be given only once' } : read(values[0])),
  };
}

/** A parameter that may be given several times. */
function several<T>(items: JsonSchema, description: string, read: (values: readonly string[]) => Read<T>): Param<T> {
  return { schema: { type: 'array', items }, description, required: false, repeated: true, read };
}

interface IntegerRule {
  readonly min: number;
  readonly max?: number;
  readonly default: number;
  readonly description: string;
}

/** The largest number of 15 digits. Numbers in queries are limited to it. */
const DIGITS_MAX = 999_999_999_999_999;

/** A whole number in plain decimal digits: no sign, no point, no exponent. */
export function integer({ min, max, default: otherwise, description }: IntegerRule): Param<number> {
  const limits = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  const schema = { type: 'integer', minimum: min, maximum: max ?? DIGITS_MAX, default: otherwise };
  return single<number>(schema, description, (text) => {
    if (text === undefined) return { value: otherwise };
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= (max ?? Infinity)) return { value };
    return { problem: `Input should be a whole number ${limits}, in decimal digits ${input(text)}` };
  });
}

/** The most items of a page for lists that allow more than 100. */
export const LARGE_PAGE = 500;

/** The parameters of a list with pages. */
export const paged = (items: string, otherwise = 15, max = 100) => ({
  page: integer({ min: 1, default: 1, description: 'Number of the page.' }),
  per_page: integer({ min: 1, max, default: otherwise, description: `${items} per page.` }),
});

/** The same for a list that may grow while a client reads it. The links of a page name the row beside which the next page begins. */
export const followed = (items: string, otherwise = 15, max = 100) => ({
  ...paged(items, otherwise, max),
  ...positions,
});

/** The same without a default, so the route can see whether it was given. */
export function optionalInteger(rule: Omit<IntegerRule, 'default'>): Param<number | undefined> {
  const param = integer({ ...rule, default: 0 });
  const { default: _, ...schema } = param.schema;
  return { ...param, schema, read: (texts) => (texts.length === 0 ? { value: undefined } : param.read(texts)) };
}

/** A time of the years 1970 to 9999 in epoch seconds, with or without a fraction. Empty and `null` mean not given. */
export function timestamp(description: string): Param<number | null> {
  const schema = { type: ['number', 'null'], minimum: 0, maximum: SECONDS_MAX };
  return single<number | null>(schema, `${description} In plain decimals, without an exponent.`, (text) => {
    if (text === undefined || text === '' || text === 'null') return { value: null };
    if (!/^-?[0-9]{1,15}(\.[0-9]{1,9})?$/.test(text)) {
      return { problem: `Input should be a timestamp in epoch seconds, such as 1700000000.5 ${input(text)}` };
    }
    const value = Number(text);
    return isTime(value) ? { value } : { problem: `${NO_TIME} ${input(text)}` };
  });
}

const WRITTEN = '^(\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})?)?)?$';

/**
 * A time in ISO 8601. It is in UTC unless it has an offset. A date means its first moment. The value is in epoch seconds. Empty and `null` mean not
 * given.
 */
export function writtenTime(description: string): Param<number | null> {
  const schema = { type: ['string', 'null'], pattern: WRITTEN };
  return single<number | null>(schema, `${description} In ISO 8601; UTC without an offset.`, (text) => {
    if (text === undefined || text === '' || text === 'null') return { value: null };
    // A plus that was not escaped arrives as a space.
    const at = parseTime(
      /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text.replace(/ (?=\d{2}:\d{2}$)/, '+'),
    );
    if (at !== null) return { value: at / 1_000 };
    return { problem: `Input should be a time in ISO 8601, such as '2026-11-02T08:00:00Z' ${input(text)}` };
  });
}

/** The same parameter, but an empty text and `null` mean not given. */
export function orEmpty<T>(param: Param<T>): Param<T> {
  return { ...param, read: (values) => param.read(values.filter((text) => text !== '' && text !== 'null')) };
}

/** The most characters of a position. Its names have at most some hundred characters. */
const POSITION_MAX = 8_192;

/** A row of a list in the form that links use: the values of the fields by which the list is ordered. */
export type Position = readonly (string | number)[];

/** A position in the form that links use. */
export function positionText(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function position(description: string): Param<Position | undefined> {
  return single<Position | undefined>({ type: 'string', maxLength: POSITION_MAX }, description, (text) => {
    if (text === undefined || text === '') return { value: undefined };
    const value = text.length > POSITION_MAX ? null : positionOf(text);
    return value === null
      ? { problem: `Input should be a position from a link of this list ${input(text)}` }
      : { value };
  });
}

function positionOf(text: string): Position | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const isPosition =
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((part) => typeof part === 'string' || (typeof part === 'number' && Number.isFinite(part)));
    return isPosition ? (value as Position) : null;
  } catch {
    return null;
  }
}

/** Parameters for the position of a page in a growing list. The links of pages have them. */
export const positions = {
  after: position(
    'The page begins behind this row, as a link of a page has it: rows that come meanwhile shift nothing. `page` is then only its number.',
  ),
  before: position('The page ends before this row, as a link of a page has it.'),
};

/**
 * A text without conversion.
 *
 * @param empty what an empty text means: not given, an error, or a normal text
 */
export function text(description: string, empty: 'absent' | 'refused' | 'kept' = 'absent'): Param<string | undefined> {
  const schema = { type: 'string', ...(empty === 'refused' ? { minLength: 1 } : {}) };
  return single(schema, description, (value) => {
    if (value === '' && empty === 'refused') return { problem: 'Input should not be empty' };
    return { value: value === '' && empty === 'absent' ? undefined : value };
  });
}

/** A fingerprint, converted by `plainDigits`. */
export function fingerprint(description: string): Param<string | undefined> {
  const param = text(description);
  return {
    ...param,
    read(texts) {
      const read = param.read(texts);
      return 'problem' in read || read.value === undefined ? read : { value: plainDigits(read.value) };
    },
  };
}

/** Texts, by repeating the key. An empty text is an error. Commas belong to the text. */
export function texts(description: string): Param<readonly string[]> {
  return several<readonly string[]>({ type: 'string', minLength: 1 }, description, (values) =>
    values.includes('') ? { problem: 'Input should not be empty' } : { value: values },
  );
}

/** Names and ids that never contain a comma, by repeating the key or separated by commas. An empty one is an error. */
export function names(description: string): Param<readonly string[]> {
  const separate = texts(`${description} Commas separate several, too.`);
  return { ...separate, read: (values) => separate.read(separatedByCommas(values)) };
}

function separatedByCommas(values: readonly string[]): readonly string[] {
  return values.flatMap((text) => text.split(','));
}

/** One of some words; an empty text means not given. */
export function choice<const T extends string>(values: readonly T[], otherwise: T, description: string): Param<T> {
  return single<T>({ type: 'string', enum: values, default: otherwise }, description, (text) => {
    if (text === undefined || text === '') return { value: otherwise };
    const value = values.find((candidate) => candidate === text);
    if (value !== undefined) return { value };
    return { problem: `Input should be ${values.map((candidate) => `'${candidate}'`).join(' or ')} ${input(text)}` };
  });
}

/** The same without a default, so the route can see whether it was given. */
export function optionalChoice<const T extends string>(
  values: readonly T[],
  description: string,
): Param<T | undefined> {
  const param = choice(values, values[0] as T, description);
  const { default: _, ...schema } = param.schema;
  return { ...param, schema, read: (texts) => (texts.join('') === '' ? { value: undefined } : param.read(texts)) };
}

/** Some of these words, by repeating the key or separated by commas. */
export function choices<const T extends string>(values: readonly T[], description: string): Param<readonly T[]> {
  return several<readonly T[]>({ type: 'string', enum: values }, description, (texts) => {
    const value = separatedByCommas(texts);
    const results = value.flatMap((text) => values.find((value) => value === text) ?? []);
    if (results.length === value.length) return { value: results };
    const odd = value.find((text) => !values.some((value) => value === text));
    return { problem: `Input should be ${values.map((value) => `'${value}'`).join(', ')} ${input(odd)}` };
  });
}

/** The spellings of a boolean that clients of several languages use, in any letter case. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

function booleanOf(text: string): Read<boolean> {
  const value = BOOLEANS.get(text.toLowerCase());
  return value === undefined ? { problem: `Input should be 'true' or 'false' ${input(text)}` } : { value };
}

/** A boolean. If it is empty or not given, the default applies. */
export function flag(description: string, otherwise = false): Param<boolean> {
  const schema = { type: 'boolean', default: otherwise };
  return single<boolean>(schema, description, (text = '') => (text === '' ? { value: otherwise } : booleanOf(text)));
}

/** A boolean filter. If it is empty, `null`, `all` or not given, it does not filter. */
export function optionalFlag(description: string): Param<boolean | null> {
  return single<boolean | null>({ type: ['boolean', 'null'] }, description, (text = '') =>
    ['', 'null', 'all'].includes(text) ? { value: null } : booleanOf(text),
  );
}

/**
 * Reads a query by its shape. A parameter that the shape does not know is an error under its name.
 *
 * @param raw the parsed query of the HTTP server: a text, or several if the key was repeated
 */
export function readQuery<Q extends QueryShape>(
  shape: Q,
  raw: Readonly<Record<string, unknown>>,
): { readonly value: QueryOf<Q> } | { readonly errors: FieldErrors } {
  const errors = new Map<string, string>();
  const values = new Map<string, unknown>();
  for (const name of Object.keys(raw)) {
    if (!Object.hasOwn(shape, name)) errors.set(echo(name), unknownParameter(name, Object.keys(shape)));
  }
  for (const [name, param] of Object.entries(shape)) {
    const read = param.read(textsOf(Object.hasOwn(raw, name) ? raw[name] : undefined));
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
