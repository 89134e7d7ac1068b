import { canonicalJson, err, ok, type Result } from '@assurance/kernel';

/** The largest JSON schema (bytes), and its deepest nesting (levels). */
export const SCHEMA_BYTES_MAX = 1024 * 1024;
const SCHEMA_DEPTH_MAX = 64;

/**
 * Reads a JSON schema from a file, and returns it as canonical text: keys sorted, no blanks. The evaluator checks later whether the
 * schema is valid.
 *
 * @returns a refusal says what is wrong
 */
export function readSchema(content: Uint8Array): Result<string, string> {
  if (content.length > SCHEMA_BYTES_MAX) {
    return err(
      `The schema has ${content.length} bytes, more than the limit of ${SCHEMA_BYTES_MAX}. Leave out descriptions and what the data does not use`,
    );
  }
  let schema: unknown;
  try {
    schema = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content)) as unknown;
  } catch {
    return err('Input is not valid JSON');
  }
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return err('Input should be an object');
  if (isDeeper(schema, SCHEMA_DEPTH_MAX))
    return err(
      `The schema has more levels than the limit of ${SCHEMA_DEPTH_MAX}. Put inner schemas under $defs, and refer to them`,
    );
  try {
    return ok(canonicalJson(schema));
  } catch {
    return err('Input is not valid JSON: it has a number or a text that cannot be kept as it is');
  }
}

/** Whether a JSON value has more than `levels` levels. It does not recurse, because the value may be nested to any depth. */
export function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < levels; depth += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}
