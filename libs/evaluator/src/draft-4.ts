import { DATA, NAMED } from './keywords';

/** Keywords to remove: draft 6 introduced them, and draft 4 ignores them. `$schema` is replaced. */
const LATER = new Set(['$id', 'const', 'contains', 'propertyNames', 'examples', '$schema']);

/**
 * Converts a schema of draft 4 to draft 6. `id` becomes `$id`. If `exclusiveMinimum` is true, it becomes the value of `minimum`; the same
 * applies to the maximum. It does not recurse, because the schema is not checked yet.
 *
 * @throws Error if the schema uses these keywords in a way that draft 4 forbids
 */
export function fromDraft4(schema: object): object {
  const root = { ...schema } as Members;
  const open: Members[] = [root];
  for (let members = open.pop(); members !== undefined; members = open.pop()) {
    rename(members);
    for (const [keyword, value] of Object.entries(members)) {
      if (DATA.has(keyword) || typeof value !== 'object' || value === null) continue;
      const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
      members[keyword] = copy;
      if (NAMED.has(keyword) || Array.isArray(copy)) {
        const members = copy as Members;
        for (const [name, inner] of Object.entries(members)) {
          if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
            open.push((members[name] = { ...inner } as Members));
          }
        }
      } else open.push(copy as Members);
    }
  }
  return { ...root, $schema: 'http://json-schema.org/draft-06/schema#' };
}

type Members = Record<string, unknown>;

function rename(schema: Members): void {
  for (const keyword of LATER) delete schema[keyword];
  if (typeof schema['id'] === 'string') schema['$id'] = schema['id'];
  delete schema['id'];
  exclude(schema, 'minimum', 'exclusiveMinimum');
  exclude(schema, 'maximum', 'exclusiveMaximum');
}

function exclude(schema: Members, limit: string, exclusive: string): void {
  const isExclusive = schema[exclusive];
  if (isExclusive === undefined) return;
  if (typeof isExclusive !== 'boolean') throw new Error(`${exclusive} should be true or false in draft 4`);
  if (schema[limit] === undefined) throw new Error(`${exclusive} should stand beside ${limit} in draft 4`);
  delete schema[exclusive];
  if (!isExclusive) return;
  schema[exclusive] = schema[limit];
  delete schema[limit];
}
