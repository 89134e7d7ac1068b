import {
  type Component,
  type Fields,
  inside,
  type JsonSchema,
  named,
  type Problems,
  reference,
  type Shape,
  type Simple,
  type TypeOf,
  within,
  withKeywords,
} from '../shape';

/** The type of a body with these fields. */
export type BodyOf<F extends Fields> = Simple<
  { [K in keyof F as undefined extends TypeOf<F[K]> ? never : K]: TypeOf<F[K]> } & {
    [K in keyof F as undefined extends TypeOf<F[K]> ? K : never]?: TypeOf<F[K]>;
  }
>;

/** A body, or an object inside bodies, as a component of the OpenAPI document. Unknown properties are dropped. */
export const body = <F extends Fields>(name: string, fields: F): Component<BodyOf<F>> => named(name, record(fields));

/** The same, but unknown properties are refused by name. */
export const closed = <F extends Fields>(name: string, fields: F): Component<BodyOf<F>> =>
  named(name, closedRecord(fields));

/** An object inside bodies that refuses unknown properties and is no component. */
export function closedRecord<F extends Fields>(fields: F): Shape<BodyOf<F>> {
  const { schema, ...rest } = record(fields);
  return { ...rest, schema: { ...schema, additionalProperties: false }, closed: true };
}

function record<F extends Fields>(fields: F): Shape<BodyOf<F>> {
  const all = Object.entries(fields);
  const required = all.flatMap(([key, field]) => (field.optional ? [] : [key]));
  return {
    schema: {
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      ...Object.assign({}, ...all.map(([key, field]) => conditionOf(key, field))),
      properties: Object.fromEntries(all.map(([key, field]) => [key, inside(field)])),
    },
    fields: new Map(all),
    ...within(...Object.values(fields)),
  };
}

/** Requires a field with another field. A body may have one such field. */
function conditionOf(key: string, { requiredWith: other }: Shape<unknown>): JsonSchema {
  const isText = (name: string) => ({ properties: { [name]: { type: 'string' } }, required: [name] });
  return other === undefined ? {} : { if: isText(other), then: isText(key) };
}

/** A field of a body that may be left out or null. */
export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  const place = reference(shape);
  return { ...place, schema: orNull(place.schema), optional: true };
}

/** A field of a body that may be left out unless another field, which is a text, is there. */
export const requiredWith = <T>(field: string, shape: Shape<T>): Shape<T | undefined> => ({
  ...optional(shape),
  requiredWith: field,
});

function orNull({ $ref, ...schema }: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf: some, ...rest } = schema;
  if ($ref !== undefined) return { anyOf: [{ $ref }, { type: 'null' }], ...rest };
  if (type === undefined && some === undefined) return schema;
  if (type === undefined) return { ...schema, anyOf: [...(some as readonly JsonSchema[]), { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'],
    ...(values === undefined ? {} : { enum: [...(values as readonly unknown[]), null] }),
  };
}

/**
 * Adds a check that JSON Schema cannot express, or only with the given keywords.
 *
 * @param check gets values that keep to the rest of the schema
 */
export function withCheck<T>(shape: Shape<T>, check: (value: T) => Problems, keywords: JsonSchema = {}): Shape<T> {
  return { ...withKeywords(shape, keywords), check: check as (value: unknown) => Problems };
}

/** Changes the JSON value before it is checked. */
export const withPreparation = <T>(shape: Shape<T>, prepare: (value: unknown) => unknown): Shape<T> => ({
  ...shape,
  prepare,
});

/** Converts the valid value of a body. */
export const withConversion = <T, V>({ type: _, ...shape }: Shape<T>, convert: (valid: T) => V): Shape<V> => ({
  ...shape,
  convert: convert as (valid: unknown) => unknown,
});

/** Stores the value as it was sent: its numbers may have more digits than doubles can hold. */
export const asSent = <T>(shape: Shape<T>): Shape<T> => ({ ...shape, asSent: true });
