import { input, isTime, parseTime, SECONDS_MAX } from '@assurance/kernel';
import { NO_TIME, plainDigits } from './patterns';
import { type Defaulted, integer, list, nullable, number, type Shape, text } from './shape';

/** The value of a text, or why it has none. */
export type Read<T> = { readonly value: T } | { readonly problem: string };
/** One text for each wrong field, by the field's path. */
export type FieldErrors = Readonly<Record<string, string>>;

/** A parameter of a query: a shape, and how its texts are read where the schema does not say it. */
export interface Param<T> extends Shape<T> {
  readonly required?: true;
  /** Converts the text, which may be empty. A nullable parameter is null for an empty text and for `null`. */
  readonly read?: (text: string) => Read<T | undefined>;
  /** The texts of a list, from the texts of the query in order. */
  readonly separate?: (texts: readonly string[]) => readonly string[];
}

/**
 * The parameters of a route. One that is not given has its default. Without a default, a nullable one is null, a list is empty, and any other one is
 * undefined.
 */
export type QueryShape = Readonly<Record<string, Param<unknown>>>;
export type QueryOf<Q extends QueryShape> = { readonly [K in keyof Q]: ValueOf<Q[K]> };
type ValueOf<P> =
  P extends Shape<infer T> ? T | (P extends Certain ? never : null extends T ? null : undefined) : never;
/** Parameters that have a value in every query. */
type Certain = { readonly required: true } | Defaulted<unknown> | Shape<readonly string[]>;

/** A parameter that must be given. */
export const required = <T>(shape: Shape<T>) => ({ ...shape, required: true }) as const;

/** The most items of a page for lists that allow more than 100. */
export const LARGE_PAGE = 500;

/** The parameters of a list with pages. */
export const paged = (items: string, otherwise = 15, max = 100) => ({
  page: integer('Number of the page.', { min: 1, default: 1 }),
  per_page: integer(`${items} per page.`, { min: 1, max, default: otherwise }),
});

/** The same for a list that may grow while a client reads it. The links of a page name the row beside which the next page begins. */
export const followed = (items: string, otherwise = 15, max = 100) => ({
  ...paged(items, otherwise, max),
  ...positions,
});

/** A time of the years 1970 to 9999 in epoch seconds, with or without a fraction. */
export function timestamp(description: string): Param<number | null> {
  const seconds = number(`${description} In plain decimals, without an exponent.`, { min: 0, max: SECONDS_MAX });
  return {
    ...nullable(seconds),
    read(text) {
      if (!/^-?[0-9]{1,15}(\.[0-9]{1,9})?$/.test(text)) {
        return { problem: `Input should be a timestamp in epoch seconds, such as 1700000000.5 ${input(text)}` };
      }
      const value = Number(text);
      return isTime(value) ? { value } : { problem: `${NO_TIME} ${input(text)}` };
    },
  };
}

const WRITTEN = '^(\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})?)?)?$';

/** A time in ISO 8601. It is in UTC unless it has an offset. A date means its first moment. The value is in epoch seconds. */
export function writtenTime(description: string): Param<number | null> {
  return {
    schema: { ...nullable(text(`${description} In ISO 8601; UTC without an offset.`)).schema, pattern: WRITTEN },
    read(text) {
      // A plus that was not escaped arrives as a space.
      const at = parseTime(
        /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text.replace(/ (?=\d{2}:\d{2}$)/, '+'),
      );
      if (at !== null) return { value: at / 1_000 };
      return { problem: `Input should be a time in ISO 8601, such as '2026-11-02T08:00:00Z' ${input(text)}` };
    },
  };
}

/** The most characters of a position. Its names have at most some hundred characters. */
const POSITION_MAX = 8_192;

/** A row of a list in the form that links use: the values of the fields by which the list is ordered. */
export type Position = readonly (string | number)[];

/** A position in the form that links use. */
export function positionText(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function position(description: string): Param<Position> {
  return {
    schema: text(description, { max: POSITION_MAX }).schema,
    read(text) {
      if (text === '') return { value: undefined };
      const value = text.length > POSITION_MAX ? null : positionOf(text);
      return value === null
        ? { problem: `Input should be a position from a link of this list ${input(text)}` }
        : { value };
    },
  };
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

/** A text of which an empty one is a value too. */
export const emptyOrText = (description: string): Param<string> => ({
  ...text(description),
  read: (value) => ({ value }),
});

/** A fingerprint, converted by `plainDigits`. */
export const fingerprint = (description: string): Param<string> => ({
  ...text(description),
  read: (value) => ({ value: value === '' ? undefined : plainDigits(value) }),
});

/** Texts, by repeating the key. An empty text is an error. Commas belong to the text. */
export const texts = (description: string) => list(text(undefined, { min: 1 }), description);

/** Names and ids that never contain a comma, by repeating the key or separated by commas. An empty one is an error. */
export const names = (description: string): Param<readonly string[]> => ({
  ...texts(`${description} Commas separate several, too.`),
  separate: separatedByCommas,
});

export function separatedByCommas(values: readonly string[]): readonly string[] {
  return values.flatMap((text) => text.split(','));
}

/** The same list, but an empty text and `null` mean not given. */
export function orEmpty<T>(param: Param<readonly T[]>): Param<readonly T[]> {
  const { separate = (values) => values } = param;
  return { ...param, separate: (values) => separate(values.filter((text) => text !== '' && text !== 'null')) };
}
