/** Names by id; null if the resource no longer exists. */
export type Names = Readonly<Record<string, string | null>>;

/**
 * Replaces the ids in a value with names.
 *
 * @param withIds whether each id follows its name
 */
export function withNames(value: unknown, names: Names, withIds = false): unknown {
  if (typeof value === 'string') {
    if (!Object.hasOwn(names, value)) return value;
    const name = names[value] ?? null;
    if (name === null) return `${value} (does not exist any more)`;
    return withIds ? `${name} (${value})` : name;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => withNames(item, names, withIds));
  if (typeof value !== 'object' || value === null) return value;
  return fieldsWithNames(value, names, withIds);
}

/** Replaces the ids in the values of fields with names; see `withNames`. */
export function fieldsWithNames(fields: object, names: Names, withIds = false): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, withNames(value, names, withIds)]));
}
