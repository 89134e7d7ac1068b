import type { Pattern } from './patterns';

/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** What is wrong with a value: one text, or a text for each wrong part by its path within the value. Null or empty if nothing is. */
export type Problems = Readonly<Record<string, string>> | string | null;

/**
 * A JSON Schema together with the TypeScript type that it describes: one definition for both, of everything that the API takes and answers. Its other
 * properties say what happens to values of bodies. Answers do not use them.
 */
export interface Shape<T> {
  readonly schema: JsonSchema;
  /** Set for shapes that are components of the OpenAPI document. */
  readonly name?: string;
  /** Never set; it carries the type. */
  readonly type?: T;
  /** The field may be left out. Null means the same as leaving it out. */
  readonly optional?: true;
  /** The field whose presence makes this one required. */
  readonly requiredWith?: string;
  /** The fields of an object. */
  readonly fields?: ReadonlyMap<string, Shape<unknown>>;
  /** The object refuses fields that it does not have. Otherwise they are dropped. */
  readonly closed?: true;
  /** The items of a list, or the values of a map. */
  readonly each?: Shape<unknown>;
  /** The keys of a map. */
  readonly keys?: Shape<string>;
  /** What refusals call the items of a list. */
  readonly noun?: string;
  readonly pattern?: Pattern;
  /** What refusals say in place of the limits. */
  readonly problem?: string;
  /** Finds what JSON Schema cannot say, in a value that keeps to the schema. */
  readonly check?: (value: unknown) => Problems;
  /** Changes the JSON value before it is checked. */
  readonly prepare?: (value: unknown) => unknown;
  /** Converts the valid value. */
  readonly convert?: (valid: unknown) => unknown;
  /** The value is stored as it was sent: its numbers may have more digits than doubles can hold. */
  readonly asSent?: true;
}

/** A shape that states the value that applies if it is left out. */
export type Defaulted<T> = Shape<T> & { readonly schema: { readonly default: T } };
type ShapeWithDefault<T, Default> = undefined extends Default ? Shape<T> : Defaulted<T>;

/** A shape that is a component of the OpenAPI document. */
export type Component<T> = Shape<T> & { readonly name: string };

/** The type that a shape describes. */
export type TypeOf<S> = S extends Shape<infer T> ? T : never;

export type Fields = Readonly<Record<string, Shape<unknown>>>;
/** An intersection as one object type. */
export type Simple<T> = { readonly [K in keyof T]: T[K] } & unknown;

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
  /** What refusals say in place of the limits. */
  readonly problem?: string;
}

/** Limits of a text in characters, and what the document says of it. */
export interface TextRule {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: Pattern;
  /** What refusals say in place of the limits. */
  readonly problem?: string;
  readonly example?: unknown;
}

/** Limits of a list in items, and what the document says of it. */
interface ListRule {
  readonly max?: number;
  /** What refusals call the items; `items` unless given. */
  readonly noun?: string;
  readonly example?: unknown;
}

/** The keywords that are set, in the order of the object. */
const keywords = (all: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

const shapeOf = <T, Default>(schema: JsonSchema) => ({ schema: keywords(schema) }) as ShapeWithDefault<T, Default>;

const numberRule = <D>(type: string, description: string | undefined, rule: NumberRule<D>) => {
  const { min: minimum, max: maximum, default: otherwise, example, problem } = rule;
  const shape = shapeOf<number, D>({ type, minimum, maximum, description, default: otherwise, example });
  return { ...shape, problem };
};

export const text = (description?: string, { min, max, pattern, problem, example }: TextRule = {}): Shape<string> => ({
  schema: keywords({
    type: 'string',
    minLength: min,
    maxLength: max,
    pattern: pattern?.text,
    description,
    example,
  }),
  pattern,
  problem,
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
) => shapeOf<boolean, D>({ type: 'boolean', description, default: otherwise, example });
export const anything = (description?: string, { example }: { readonly example?: unknown } = {}): Shape<unknown> => ({
  schema: keywords({ description, example }),
});
export const oneOf = <const T extends string, D extends T | undefined = undefined>(
  values: readonly T[],
  description?: string,
  { default: otherwise, example }: ValueRule<T, D> = {},
) => shapeOf<T, D>({ type: 'string', enum: values, description, default: otherwise, example });

/** Adds keywords of JSON Schema to a shape, which narrow or explain it. */
export function withKeywords<T>(shape: Shape<T>, keywordSchema: JsonSchema): Shape<T> {
  const place = reference(shape);
  return { ...place, schema: { ...place.schema, ...keywordSchema } };
}

/** The shape with its meaning in one place. */
export const withDescription = <T>(shape: Shape<T>, description: string): Shape<T> =>
  withKeywords(shape, { description });

/** The schema as a separate file, for editors. */
export const document = ({ schema }: Shape<unknown>, title: string, description: string): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title,
  description,
  ...schema,
});

/** The shape inside another one. Components become references, which have the same rules. */
export function reference<T>({ name, ...shape }: Shape<T>): Shape<T> {
  return name === undefined ? shape : { ...shape, schema: inside({ ...shape, name }), ...within({ ...shape, name }) };
}

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

export function list<T>(
  items: Shape<T>,
  description?: string,
  { max: maxItems, noun, example }: ListRule = {},
): Shape<readonly T[]> {
  const schema = { type: 'array', items: inside(items), ...keywords({ maxItems, description, example }) };
  return { schema, each: items, noun, ...within(items) };
}

/** One of several shapes. */
export function either<A, B>(a: Shape<A>, b: Shape<B>, description?: string): Shape<A | B> {
  return { schema: { anyOf: [inside(a), inside(b)], ...keywords({ description }) }, ...within(a, b) };
}

/** An object with any keys, or with all keys that keep to a shape. */
export function map<T>(
  values: Shape<T>,
  description?: string,
  { keys, example }: { readonly keys?: Shape<string>; readonly example?: unknown } = {},
): Shape<Readonly<Record<string, T>>> {
  const { type: _, ...propertyNames } = keys?.schema ?? {};
  const keySchema = keywords({ propertyNames: keys && propertyNames, description, example });
  const schema = { type: 'object', additionalProperties: inside(values), ...keySchema };
  return { schema, each: values, keys, ...within(values) };
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
export function named<T>(name: string, shape: Shape<T>): Component<T> {
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
export function within(...shapes: readonly Shape<unknown>[]): UsesShapes {
  return { [USES]: shapes };
}

/** All named shapes within a shape, itself included. */
function components(shape: Shape<unknown>): Shape<unknown>[] {
  const nested = ((shape as UsesShapes)[USES] ?? []).flatMap(components);
  return shape.name === undefined ? nested : [shape, ...nested];
}

/** The schemas of all named shapes within a shape, by name. */
export const schemasOf = (shape: Shape<unknown>): Record<string, JsonSchema> =>
  Object.fromEntries(components(shape).map(({ name = '', schema }) => [name, schema]));
