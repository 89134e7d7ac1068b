import { canonicalJson, err, ok, type Result } from '@assurance/kernel';

/** The most bytes of a JSON schema, and the most levels in it. */
export const SCHEMA_BYTES_MAX = 1024 * 1024;
const SCHEMA_DEPTH_MAX = 64;

/**
 * A JSON schema that was sent as a file, as canonical text: keys sorted, no blanks. Whether it is a schema that can be used, the
 * evaluator tells.
 *
 * @returns the fault, in one sentence
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

/** Whether a value of JSON has more levels than that. Does not recurse: nothing is known of the value yet. */
export function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < levels; depth += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}
