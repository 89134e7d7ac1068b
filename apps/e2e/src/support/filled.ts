/** The description of a value in the OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

/** Fields that an answer may leave out or have as null, by their names, and whether any answer had a value there. */
export type FieldCoverage = Map<string, boolean>;

/**
 * Notes which of the fields that may be empty have a value in an answer that keeps to its schema.
 *
 * @param resolved the schema that a reference names
 */
export function noteFilled(
  schema: Schema,
  value: unknown,
  name: string,
  filled: FieldCoverage,
  resolved: (schema: Schema) => Schema,
): void {
  const { type, anyOf, items, properties, required = [], additionalProperties } = resolved(schema);
  if ([type].flat().includes('null') || anyOf?.some((each) => resolved(each).type === 'null') === true) {
    note(filled, name, value !== null);
  }
  if (typeof value !== 'object' || value === null) return;
  const inside = (inner: Schema, at: unknown, key = name) => noteFilled(inner, at, key, filled, resolved);
  if (Array.isArray(value)) {
    if (items !== undefined) for (const each of value) inside(items, each);
  } else {
    for (const key of Object.keys(properties ?? {})) {
      if (!required.includes(key)) note(filled, key, Object.hasOwn(value, key));
    }
    for (const [key, at] of Object.entries(value)) {
      const inner = properties?.[key] ?? additionalProperties;
      if (typeof inner === 'object') inside(inner, at, key);
    }
  }
  for (const each of anyOf ?? []) if (hasFieldsOf(resolved(each), value)) inside(each, value);
}

/** Whether a value with fields can be of one of several alternatives. */
function hasFieldsOf({ type, properties, additionalProperties }: Schema, value: object): boolean {
  if (Array.isArray(value)) return type === 'array';
  if (type !== 'object') return false;
  return additionalProperties !== false || Object.keys(value).every((key) => Object.hasOwn(properties ?? {}, key));
}

function note(filled: FieldCoverage, name: string, hasValue: boolean): void {
  filled.set(name, (filled.get(name) ?? false) || hasValue);
}
