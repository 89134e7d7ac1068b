import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  validateSync,
} from 'class-validator';
import type { Shape } from '../shape';
import { characters, isPlain } from './plain';
import { wordsOf, type Wording } from './wording';

type Refusal = Exclude<keyof Wording, 'missing'>;
/** The decorators of a value with a keyword of JSON Schema, which gets the keyword's value. */
type Decorators = Readonly<Record<string, (limit: never) => PropertyDecorator>>;

const holds = (name: Refusal, validate: (value: unknown) => boolean): PropertyDecorator =>
  ValidateBy({ name, validator: { validate } });

const OF_TYPES: Decorators = {
  string: () => IsString(),
  integer: () => IsInt(),
  number: () => IsNumber(),
  boolean: () => IsBoolean(),
  array: () => IsArray(),
  object: () => holds('isObject', isPlain),
};

/** In the order in which refusals name them. */
const OF_KEYWORDS: Decorators = {
  minLength: (limit: number) => holds('minLength', (value) => typeof value === 'string' && characters(value) >= limit),
  maxLength: (limit: number) => holds('maxLength', (value) => typeof value === 'string' && characters(value) <= limit),
  pattern: (expression: string) => Matches(new RegExp(expression)),
  minimum: (limit: number) => Min(limit),
  maximum: (limit: number) => Max(limit),
  maxItems: (limit: number) => ArrayMaxSize(limit),
};

/** A class for class-validator with one property, which has the decorators of a shape. */
type Holder = new () => { value: unknown };

const holders = new WeakMap<Shape<unknown>, Holder>();

/** The decorator that refuses a value, of those for the keywords of its shape; null if none does. Items and fields are not checked. */
export function refusalOf(shape: Shape<unknown>, value: unknown): Refusal | null {
  const holder = new (holderOf(shape))();
  holder.value = value;
  const [error] = validateSync(holder, { stopAtFirstError: true, forbidUnknownValues: false });
  return (Object.keys(error?.constraints ?? {})[0] as Refusal | undefined) ?? null;
}

function holderOf(shape: Shape<unknown>): Holder {
  const cached = holders.get(shape);
  if (cached !== undefined) return cached;
  const holder: Holder = class {
    value: unknown;
  };
  for (const decorate of decoratorsOf(shape)) decorate(holder.prototype as object, 'value');
  holders.set(shape, holder);
  return holder;
}

function decoratorsOf(shape: Shape<unknown>): readonly PropertyDecorator[] {
  const { schema, fields } = shape;
  // Optional values also have the type `null`, and references have none.
  const type = fields === undefined ? [schema['type']].flat()[0] : 'object';
  const words = wordsOf(shape);
  return [
    ...(type === undefined ? [] : [OF_TYPES[String(type)]?.(undefined as never)]),
    ...(words.length === 0 ? [] : [IsIn(words)]),
    ...Object.entries(OF_KEYWORDS).map(([keyword, decorator]) =>
      keyword in schema ? decorator(schema[keyword] as never) : undefined,
    ),
  ].filter((decorator) => decorator !== undefined);
}
