/** JSON of an OpenAPI document. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Keys whose values are texts for people or names, and not what a client reads or sends. */
const TEXTS = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'title',
  'tags',
  'info',
  'servers',
  'required',
]);
const isMap = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Finds what an earlier OpenAPI document has and a later one has not: operations, parameters, media types, statuses and fields, one
 * sentence each. Words of an enumeration and alternatives of a type must stay, too. What a body or query requires must not grow.
 */
export function removals(earlier: Json, later: Json | undefined, path = '', name = ''): string[] {
  if (TEXTS.has(name) && !path.endsWith('/properties')) return [];
  if (Array.isArray(earlier)) {
    const rest = Array.isArray(later) ? (later as readonly Json[]) : [later ?? null];
    return (earlier as readonly Json[]).flatMap((item) => {
      const other = rest.find((one) => keyOf(one) === keyOf(item));
      return other === undefined
        ? [`${path}/${name} has no ${keyOf(item)} any more`]
        : removals(item, other, `${path}/${name}`, keyOf(item));
    });
  }
  if (!isMap(earlier)) return [];
  const at = name === '' ? path : `${path}/${name}`;
  if (!isMap(later)) return [`${at} is gone`];
  const required = (value: Json | undefined) => (Array.isArray(value) ? (value as readonly Json[]) : []);
  const demanded = /requestBody|\/schemas\/[^/]*Input|parameters/.test(at)
    ? required(later['required']).filter((one) => !required(earlier['required']).includes(one))
    : [];
  return [
    ...demanded.map((one) => `${at} requires ${String(one)}, which it did not`),
    ...Object.entries(earlier).flatMap(([key, value]) => {
      if (TEXTS.has(key) && name !== 'properties') return [];
      return later[key] === undefined ? [`${at}/${key} is gone`] : removals(value, later[key], at, key);
    }),
  ];
}

/** What names an item of a list: a parameter's name and place, a reference, else all of it. */
function keyOf(item: Json): string {
  if (!isMap(item)) return String(item);
  const { name, in: place, $ref: reference } = item;
  return typeof name === 'string'
    ? `${String(place)} ${name}`
    : typeof reference === 'string'
      ? reference
      : JSON.stringify(item);
}
