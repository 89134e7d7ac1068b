import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonSchema } from '../shape';

type Part = JsonSchema | (() => JsonSchema);

const parts = new Map<object, Map<string, readonly Part[]>>();

/**
 * Adds to the JSON schema of a field what its rules do not say. `JSONSchema` alone would keep only the last of several.
 * A function is called when the schema is asked for, because classes may follow each other.
 */
export function described(part: Part): PropertyDecorator {
  return (target, key) => {
    const fields = parts.get(target) ?? new Map<string, readonly Part[]>();
    const all = [...(fields.get(String(key)) ?? []), part];
    parts.set(target, fields.set(String(key), all));
    JSONSchema(
      (rules) => Object.assign({}, rules, ...all.map((one) => (typeof one === 'function' ? one() : one))) as never,
    )(target, String(key));
  };
}

/** A body class that refuses unknown properties. */
export const Closed = (): ClassDecorator => Whole({ additionalProperties: false });

/** Adds to the JSON schema of a class what no rule of one field says. */
export const Whole =
  (schema: JsonSchema): ClassDecorator =>
  (target) =>
    JSONSchema(schema as never)(target as never);
