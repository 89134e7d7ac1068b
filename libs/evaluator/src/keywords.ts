/** Ajv's own keywords that change its results, with the text of the refusal. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['$async', '$async is not supported: a schema answers at once'],
  ['$data', '$data is not supported: a schema depends on nothing but itself'],
]);
/** Keywords with an object of schemas. The author chooses the names in it. */
export const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
/** Keywords with data as their value, not schemas. */
export const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);

/** The refusal of an unsupported keyword at any depth; null if there is none. It does not recurse, because the schema is not checked yet. */
export function keywordProblem(schema: unknown): string | null {
  const schemas: unknown[] = [schema];
  for (let item = schemas.pop(); item !== undefined; item = schemas.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    if (Array.isArray(item)) {
      schemas.push(...(item as unknown[]));
      continue;
    }
    for (const [keyword, value] of Object.entries(item)) {
      const refusedReason = REFUSED.get(keyword);
      if (refusedReason !== undefined) return refusedReason;
      if (DATA.has(keyword)) continue;
      if (NAMED.has(keyword) && typeof value === 'object' && value !== null) schemas.push(...Object.values(value));
      else schemas.push(value);
    }
  }
  return null;
}
