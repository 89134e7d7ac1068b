import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonSchema } from '../shape';

type Part = JsonSchema | (() => JsonSchema);

const parts = new Map<object, Map<string, readonly Part[]>>();

/** Adds keywords to the JSON schema of a field. Several calls of `JSONSchema` would not add up. */
export function Describe(part: Part): PropertyDecorator {
  return (target, key) => {
    const fields = parts.get(target) ?? new Map<string, readonly Part[]>();
    const all = [...(fields.get(String(key)) ?? []), part];
    parts.set(target, fields.set(String(key), all));
    JSONSchema(
      (rules) =>
        Object.assign(
          {},
          rules,
          ...all.map((candidate) => (typeof candidate === 'function' ? candidate() : candidate)),
        ) as never,
    )(target, String(key));
  };
}
