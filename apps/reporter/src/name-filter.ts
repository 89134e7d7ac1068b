/** Which names of a cloud's resources are reported. Empty lists exclude nothing. */
export interface NameFilter {
  readonly include: readonly string[];
  readonly includeRegex: readonly RegExp[];
  readonly exclude: readonly string[];
  readonly excludeRegex: readonly RegExp[];
}

export const EVERYTHING: NameFilter = { include: [], includeRegex: [], exclude: [], excludeRegex: [] };

/** Whether a name is included and not excluded. Patterns match any part of a name. */
export function acceptsName(filter: NameFilter, name: string): boolean {
  const matches = (names: readonly string[], patterns: readonly RegExp[]) =>
    names.includes(name) || patterns.some((pattern) => pattern.test(name));
  const all = filter.include.length === 0 && filter.includeRegex.length === 0;
  return (all || matches(filter.include, filter.includeRegex)) && !matches(filter.exclude, filter.excludeRegex);
}

/** The names, if the filter consists of names only; null if the whole list is needed to find the matching names. */
export function namesOf({ include, includeRegex, exclude, excludeRegex }: NameFilter): readonly string[] | null {
  return include.length > 0 && includeRegex.length + exclude.length + excludeRegex.length === 0 ? include : null;
}
