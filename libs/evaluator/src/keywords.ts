/** Ajv's own keywords that change its answers, with the reason that the refusal names. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['$async', '$async is not supported: a schema answers at once'],
  ['$data', '$data is not supported: a schema depends on nothing but itself'],
]);
/** Keywords whose members are schemas under names of the author's choice. */
export const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
/** Keywords whose value is data. */
export const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);

/** Which keyword of a schema cannot be used, at any depth; null where all can. Does not recurse: nothing is known of the schema yet. */
export function keywordProblem(schema: unknown): string | null {
  const schemas: unknown[] = [schema];
  for (let item = schemas.pop(); item !== undefined; item = schemas.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    if (Array.isArray(item)) {
      schemas.push(...(item as unknown[]));
      continue;
    }
    for (const [keyword, value] of Object.entries(item)) {
      const refused = REFUSED.get(keyword);
      if (refused !== undefined) return refused;
      if (DATA.has(keyword)) continue;
      if (NAMED.has(keyword) && typeof value === 'object' && value !== null) schemas.push(...Object.values(value));
      else schemas.push(value);
    }
  }
  return null;
}
