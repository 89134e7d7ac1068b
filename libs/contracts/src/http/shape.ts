import type { Pattern } from './patterns';

/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A JSON Schema together with the TypeScript type that it describes: one definition for both. */
export interface Shape<T> {
  readonly schema: JsonSchema;
  /** Set for shapes that are components of the OpenAPI document. */
  readonly name?: string;
  /** Never set; it carries the type. */
  readonly type?: T;
}

/** A shape that states the value that applies if it is left out. */
export type Defaulted<T> = Shape<T> & { readonly schema: { readonly default: T } };
type Stated<T, Default> = undefined extends Default ? Shape<T> : Defaulted<T>;

/** The type that a shape describes. */
export type TypeOf<S> = S extends Shape<infer T> ? T : never;

type Fields = Readonly<Record<string, Shape<unknown>>>;
type Simple<T> = { readonly [K in keyof T]: T[K] } & unknown;

/** What the document says of a value. */
interface ValueRule<T, Default = T | undefined> {
  /** The value if it is left out. */
  readonly default?: Default;
  readonly example?: T;
}

/** Limits of a number, and what the document says of it. */
export interface NumberRule<Default = number | undefined> extends ValueRule<number, Default> {
  readonly min?: number;
  readonly max?: number;
}

/** Limits of a text in characters, and what the document says of it. */
export interface TextRule {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: Pattern;
  readonly example?: unknown;
}

/** The keywords that are set, in the order of the object. */
const keywords = (all: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

const stated = <T, Default>(schema: JsonSchema) => ({ schema: keywords(schema) }) as Stated<T, Default>;

const numberRule = <D>(type: string, description: string | undefined, rule: NumberRule<D>) => {
  const { min: minimum, max: maximum, default: otherwise, example } = rule;
  return stated<number, D>({ type, minimum, maximum, description, default: otherwise, example });
};

export const text = (description?: string, { min, max, pattern, example }: TextRule = {}): Shape<string> => ({
  schema: keywords({
    type: 'string',
    minLength: min,
    maxLength: max,
    pattern: pattern?.text,
    description,
    example,
  }),
});
export const url = (description?: string): Shape<string> => ({
  schema: keywords({ type: 'string', format: 'uri', description }),
});
export const number = <D extends number | undefined = undefined>(description?: string, rule: NumberRule<D> = {}) =>
  numberRule('number', description, rule);
export const integer = <D extends number | undefined = undefined>(description?: string, rule: NumberRule<D> = {}) =>
  numberRule('integer', description, rule);
export const flag = <D extends boolean | undefined = undefined>(
  description?: string,
  { default: otherwise, example }: ValueRule<boolean, D> = {},
) => stated<boolean, D>({ type: 'boolean', description, default: otherwise, example });
export const anything = (description?: string): Shape<unknown> => ({ schema: keywords({ description }) });
export const oneOf = <const T extends string, D extends T | undefined = undefined>(
  values: readonly T[],
  description?: string,
  { default: otherwise, example }: ValueRule<T, D> = {},
) => stated<T, D>({ type: 'string', enum: values, description, default: otherwise, example });

/** Adds keywords of JSON Schema to a shape, which narrow or explain it. */
export const withKeywords = <T>(shape: Shape<T>, further: JsonSchema): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, ...further },
});

/** The schema as a separate file, for editors. */
export const document = ({ schema }: Shape<unknown>, title: string, description: string): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title,
  description,
  ...schema,
});

/** The schema of a shape inside another one. Components become references. */
export function inside(shape: Shape<unknown>): JsonSchema {
  return shape.name === undefined ? shape.schema : { $ref: `#/components/schemas/${shape.name}` };
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  const { type, enum: values } = shape.schema;
  if (shape.name !== undefined || typeof type !== 'string' || values !== undefined) {
    return { schema: { anyOf: [inside(shape), { type: 'null' }] }, ...within(shape) };
  }
  return { schema: { ...shape.schema, type: [type, 'null'] }, ...within(shape) };
}

export function list<T>(items: Shape<T>, description?: string): Shape<readonly T[]> {
  return { schema: { type: 'array', items: inside(items), ...keywords({ description }) }, ...within(items) };
}

/** One of several shapes. */
export function either<A, B>(a: Shape<A>, b: Shape<B>, description?: string): Shape<A | B> {
  return { schema: { anyOf: [inside(a), inside(b)], ...keywords({ description }) }, ...within(a, b) };
}

/** An object with any keys. */
export function map<T>(values: Shape<T>, description?: string): Shape<Readonly<Record<string, T>>> {
  return {
    schema: { type: 'object', additionalProperties: inside(values), ...keywords({ description }) },
    ...within(values),
  };
}

/** An object with exactly these fields. The fields of `optional` may be absent. */
export function object<F extends Fields, O extends Fields = Record<never, never>>(
  fields: F,
  optional?: O,
): Shape<Simple<{ readonly [K in keyof F]: TypeOf<F[K]> } & { readonly [K in keyof O]?: TypeOf<O[K]> }>> {
  const all = { ...fields, ...optional };
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(all).map(([key, shape]) => [key, inside(shape)])),
      required: Object.keys(fields),
      additionalProperties: false,
    },
    ...within(...Object.values(all)),
  };
}

/** Makes a shape a component of the OpenAPI document with this name. */
export function named<T>(name: string, shape: Shape<T>): Shape<T> {
  return { ...shape, name };
}

/** An object with exactly these fields, as a component. The fields of `optional` may be absent. */
export const component = <F extends Fields, O extends Fields = Record<never, never>>(
  name: string,
  fields: F,
  optional?: O,
) => named(name, object(fields, optional));

const USES = Symbol('uses');
type UsesShapes = { readonly [USES]?: readonly Shape<unknown>[] };

/** Records which components a shape refers to. */
function within(...shapes: readonly Shape<unknown>[]): UsesShapes {
  return { [USES]: shapes };
}

/** All named shapes within a shape, itself included. */
export function components(shape: Shape<unknown>): Shape<unknown>[] {
  const nested = ((shape as UsesShapes)[USES] ?? []).flatMap(components);
  return shape.name === undefined ? nested : [shape, ...nested];
}
