import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { classesOf } from '../../environments/bodies/instance';
import type { Class } from '../route';
import type { JsonSchema } from '../shape';
import { PARTS } from './rules';

/**
 * Our own rules, and fields of other classes, define their schemas themselves. The default schemas of `min` and `max` would hide that a number is
 * whole.
 */
const RULES = {
  additionalConverters: {
    [PARTS]: {},
    nestedValidation: {},
    isDefined: {},
    min: ({ constraints }: { readonly constraints?: readonly unknown[] }) => ({ minimum: constraints?.[0] as number }),
    max: ({ constraints }: { readonly constraints?: readonly unknown[] }) => ({ maximum: constraints?.[0] as number }),
  },
};

/** JSON schemas of a body class and its parts by name. The OpenAPI document and the compiled check of bodies use them. */
export function bodySchemas(type: Class<object>): Record<string, JsonSchema> {
  return Object.fromEntries(classesOf(type).map((bodyClass) => [bodyClass.name, schemaOf(bodyClass)]));
}

function schemaOf(type: Class<object>): JsonSchema {
  const { properties = {}, ...schema } = targetConstructorToSchema(type, RULES);
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    schema.required?.includes(name) === true ? field : orNull(field as JsonSchema),
  ]);
  return { ...schema, properties: Object.fromEntries(fields) as JsonSchema };
}

/** Allows null for a field that may be left out. */
function orNull({ $ref, ...field }: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf: some, ...rest } = field;
  if ($ref !== undefined) return { anyOf: [{ $ref }, { type: 'null' }], ...rest };
  if (Array.isArray(some) && type === undefined) return { ...field, anyOf: [...(some as unknown[]), { type: 'null' }] };
  if (type === undefined) return field;
  return {
    ...field,
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

/** The names of the fields of a body class. */
export function fieldsOf(type: Class<object>): string[] {
  return Object.keys(schemaOf(type)['properties'] as JsonSchema);
}
