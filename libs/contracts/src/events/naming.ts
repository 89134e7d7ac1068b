/** Data of a rename. The old name stays an alias until another resource claims it. */
export interface Renaming {
  readonly name: string;
  readonly previousName: string;
}

/** A change of tags: the tags that were set with their values, and the keys that were removed. */
export interface TagChange {
  readonly set: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
}

/** The tags after a change. */
export function tagsAfter(
  tags: Readonly<Record<string, string>>,
  { set, removed }: TagChange,
): Readonly<Record<string, string>> {
  const removedKeys = new Set(removed);
  return { ...Object.fromEntries(Object.entries(tags).filter(([key]) => !removedKeys.has(key))), ...set };
}
