import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { beginningOf, input, plausibleTime, SECONDS_MAX } from '@assurance/kernel';
import { Convert, FreeForm, Preprocess, convertField } from '../../environments/bodies/instance';
import type { FieldErrors } from '../params';
import { INPUT_FINGERPRINT, NO_TIME, type Pattern, patternMessage, PATTERNS, plainFingerprint } from '../patterns';
import type { Class } from '../route';
import type { JsonSchema } from '../shape';
import type { Rule } from './body';
import { Describe } from './described';
import { isPlain } from './plain';

/** A constraint with this name has as its message the JSON of errors by sub-path; `''` is the field itself. */
export const PARTS = 'parts';

const says = (problem: string) => ({
  message: ({ value }: ValidationArguments) =>
    value === undefined || value === null ? 'Field required' : `${problem} ${input(value)}`,
});

/** Combines several decorators. */
export function all(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, key) => {
    for (const decorate of decorators) decorate(target, key);
  };
}

/** Adds a description and an example of a field to the OpenAPI document. */
export const Doc = (description: string, example?: unknown): PropertyDecorator =>
  Describe({ description, ...(example === undefined ? {} : { example }) });

/** The field may be left out. Null means the same as leaving it out. The rules apply to any other value. */
export const Optional = <T>(rule: Rule<T>, ...further: readonly PropertyDecorator[]): Rule<T | undefined> =>
  all(rule, ...further, IsOptional());

/** The field is required and checked only if the rest of the body needs it. */
export const OnlyIf = <B extends object, T>(asks: (body: B) => boolean, rule: Rule<T>): Rule<T | undefined> =>
  all(rule, ValidateIf(asks as never));

/** Any JSON, which may be left out. */
export const Anything = (): Rule<unknown> => all(IsOptional(), FreeForm);

const REPORT_EVERY_MIN = 60;
const REPORT_EVERY_MAX = 31 * 24 * 3_600;

export const Flag = (): Rule<boolean> => IsBoolean(says('Input should be true or false'));
export const WholeNumber = (min: number, max?: number): Rule<number> =>
  all(
    IsInt(says('Input should be a whole number')),
    Min(min, says(`Input should be at least ${min}`)),
    ...(max === undefined ? [] : [Max(max, says(`Input should be at most ${max}`))]),
  );
/**
 * Seconds within which reports are expected. The minimum is a minute, because the service records reports every half minute. 0: the service learns
 * the interval.
 */
export const ReportEvery = (): Rule<number> =>
  all(
    WholeNumber(0, REPORT_EVERY_MAX),
    Parts(
      (value): FieldErrors =>
        typeof value === 'number' && value > 0 && value < REPORT_EVERY_MIN
          ? { '': `Input should be 0 or at least ${REPORT_EVERY_MIN} ${input(value)}` }
          : {},
      { anyOf: [{ const: 0 }, { minimum: REPORT_EVERY_MIN }] },
    ),
  );
export const FiniteNumber = (): Rule<number> => IsNumber({}, says('Input should be a number'));

const OF_TIMES = says(NO_TIME);

/** A time in whole epoch seconds. */
export const WholeTime = (): Rule<number> =>
  all(IsInt(says('Input should be a whole number')), Min(0, OF_TIMES), Max(SECONDS_MAX, OF_TIMES));
/** A creation time in whole epoch seconds. If tools do not know it, they send any number before the year 2000. */
export const CreationTime = (): Rule<number> =>
  all(IsInt(says('Input should be a whole number')), Max(SECONDS_MAX, OF_TIMES));
/** A time from other systems in epoch seconds. Times before the year 2000 are unknown and become 0. Milliseconds are refused. */
export const ReportedTime = (): Rule<number> =>
  all(FiniteNumber(), Max(SECONDS_MAX, OF_TIMES), Convert(zeroIfImplausible));
/** A value that tools send as a time: any value except a number that lies too far in the future. */
export const LenientTime = (): Rule<unknown> =>
  all(
    Parts(
      (value): FieldErrors =>
        typeof value !== 'number' || value <= SECONDS_MAX ? {} : { '': `${NO_TIME} ${input(value)}` },
      {
        anyOf: [{ type: 'number', maximum: SECONDS_MAX }, { type: ['string', 'boolean', 'object', 'array', 'null'] }],
      },
    ),
    Convert(zeroIfImplausible),
  );

/** Replaces a number that is no plausible time with 0. Other values stay unchanged. */
export function zeroIfImplausible(time: unknown): unknown {
  return typeof time === 'number' ? (plausibleTime(time) ?? 0) : time;
}

/** Counts characters as JSON Schema does: in code points. The rules of class-validator would not count some of them. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const counted = (name: string, limit: number, holds: (count: number) => boolean, problem: string): PropertyDecorator =>
  ValidateBy(
    {
      name,
      constraints: [limit],
      validator: { validate: (value) => typeof value === 'string' && holds(characters(value)) },
    },
    says(problem),
  );

interface TextRule {
  /** The fewest characters. */
  readonly min?: number;
  /** The most characters. */
  readonly max?: number;
  readonly pattern?: Pattern;
}

export function Text({ min, max, pattern }: TextRule = {}): Rule<string> {
  const rules = [IsString(says('Input should be a text'))];
  if (min !== undefined) {
    const problem = `Input should have at least ${min} character${min === 1 ? '' : 's'}`;
    rules.push(counted('minLength', min, (count) => count >= min, problem));
  }
  if (max !== undefined) {
    rules.push(counted('maxLength', max, (count) => count <= max, `Input should have at most ${max} characters`));
  }
  if (pattern !== undefined) {
    rules.push(Matches(new RegExp(pattern.text), { message: ({ value }) => patternMessage(pattern, value) }));
  }
  return all(...rules);
}

/** A fingerprint, converted by `plainFingerprint`. */
export const Fingerprint = (): Rule<string> =>
  all(
    Preprocess((value) => (typeof value === 'string' ? plainFingerprint(value) : value)),
    Text({ pattern: PATTERNS.fingerprint }),
    Describe({ pattern: INPUT_FINGERPRINT }),
  );

/** A text for readers. A longer text is cut and marked, never refused. */
export const CutText = (max: number): Rule<string> =>
  all(
    IsString(says('Input should be a text')),
    Preprocess((text) => (typeof text === 'string' && text.length > max ? cutTo(text, max) : text)),
    Describe({ description: `A text of more than ${max} characters is cut.` }),
  );

function cutTo(text: string, max: number): string {
  const mark = `… [cut: ${text.length} characters]`;
  return beginningOf(text, max - mark.length) + mark;
}

/** One of some words, case-sensitive. The error message lists them. */
export const Word = <const T extends string>(values: readonly T[]): Rule<T> =>
  all(
    IsString(says('Input should be a text')),
    IsIn(values, says(`Input should be ${values.map((value) => `'${value}'`).join(', ')}`)),
  );

/** The most words of a list. */
const LIST_MAX = 100;

/** @param rule `max`: the most items; `characters`: the most characters of each item */
export function TextList({ max = 10_000, characters: most }: { max?: number; characters?: number } = {}): Rule<
  readonly string[]
> {
  const problem = (item: unknown) => {
    if (typeof item !== 'string') return `Input should be a text ${input(item)}`;
    return most !== undefined && characters(item) > most ? `Input should have at most ${most} characters` : null;
  };
  return all(
    IsArray(says('Input should be a list of texts')),
    ArrayMaxSize(max, { message: `Input should have at most ${max} items` }),
    Parts((value) => eachOf(value, problem), {
      items: { type: 'string', ...(most === undefined ? {} : { maxLength: most }) },
    }),
  );
}

/** A list of some words. */
export const WordList = <const T extends string>(values: readonly T[]): Rule<readonly T[]> =>
  all(
    IsArray(says('Input should be a list of words')),
    Parts(
      (value) =>
        eachOf(value, (item) =>
          values.some((candidate) => candidate === item)
            ? null
            : `Input should be ${values.map((candidate) => `'${candidate}'`).join(', ')} ${input(item)}`,
        ),
      { items: { type: 'string', enum: values } },
    ),
    ArrayMaxSize(LIST_MAX, { message: `Input should have at most ${LIST_MAX} items` }),
  );

const ref = (type: Class<object>): JsonSchema => ({ $ref: `#/components/schemas/${type.name}` });
const nest =
  (nested: () => Class<object>): PropertyDecorator =>
  (target, key) =>
    convertField(target, String(key), { nested });

/** An object of a class. */
export const Nested = <T extends object>(type: () => Class<T>): Rule<T> =>
  all(
    IsObject(says('Input should be an object')),
    ValidateNested(),
    nest(type),
    Describe(() => ref(type())),
  );

/** A list of objects of a class. */
export const NestedList = <T extends object>(
  type: () => Class<T>,
  { max }: { max?: number } = {},
): Rule<readonly T[]> =>
  all(
    IsArray(says('Input should be a list')),
    ...(max === undefined ? [] : [ArrayMaxSize(max, { message: `Input should have at most ${max} items` })]),
    Parts(
      (value) => eachOf(value, (item) => (isPlain(item) ? null : `Input should be an object ${input(item)}`)),
      () => ({ items: ref(type()) }),
    ),
    Items(type),
  );

/** Checks each item of a list by its class. Another rule must check that the value is a list of objects. */
export const Items = <T extends object>(type: () => Class<T>): Rule<readonly T[]> =>
  all(ValidateNested({ each: true, message: 'Input should be a list of objects' }), nest(type));

/**
 * An object with any keys. Each entry is checked. The schema has the same rules for keys and values.
 *
 * @param check returns the problem of an entry, or problems by the paths of its parts
 */
export const MapOf = <V = string>(
  check: (key: string, value: unknown) => string | FieldErrors | null,
  schema: { readonly additionalProperties: JsonSchema; readonly propertyNames?: JsonSchema },
): Rule<Readonly<Record<string, V>>> =>
  all(
    IsDefined({ message: 'Field required' }),
    Parts(
      (value) => {
        if (!isPlain(value)) return { '': `Input should be an object ${input(value)}` };
        const errors = new Map<string, string>();
        for (const [key, item] of Object.entries(value)) {
          const problems = check(key, item) ?? {};
          if (typeof problems === 'string') errors.set(key, problems);
          else for (const [path, problem] of Object.entries(problems)) errors.set(path, problem);
        }
        return Object.fromEntries(errors);
      },
      { type: 'object', ...schema },
    ),
  );

/** An object with any content. Its numbers are doubles. */
export const AnyObject = (): Rule<Readonly<Record<string, unknown>>> =>
  all(
    ValidateBy({ name: 'isObject', validator: { validate: isPlain } }, says('Input should be an object')),
    Describe({ type: 'object', additionalProperties: true }),
  );

/** An object with any content, stored as it was sent. */
export const FreeObject = (): Rule<Readonly<Record<string, unknown>>> => all(AnyObject(), FreeForm);

/** A check that may find several errors inside one field. Their paths are relative to the field. The schema must have the same rules. */
export const Parts = (check: (value: unknown) => FieldErrors, schema: Parameters<typeof Describe>[0]) =>
  all(
    ValidateBy({
      name: PARTS,
      validator: {
        validate: (value: unknown) => Object.keys(check(value)).length === 0,
        defaultMessage: (args?: ValidationArguments) => JSON.stringify(check(args?.value)),
      },
    }),
    Describe(schema),
  );

/** The problems of a list's items, by index. */
export function eachOf(value: unknown, problem: (item: unknown) => string | null): FieldErrors {
  if (!Array.isArray(value)) return {};
  return Object.fromEntries(
    value.flatMap((item, i): [string, string][] => {
      const text = problem(item);
      return text === null ? [] : [[String(i), text]];
    }),
  );
}
