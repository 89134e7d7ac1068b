/** The common part of two names of artifacts, and their difference. */
export interface NameChange {
  /** The part before the tag if both have the same; empty otherwise. */
  readonly same: string;
  /** The earlier name without that part; null if it is not known. */
  readonly before: string | null;
}

/** The position at which a name's tag begins: after the last colon that follows the last slash; -1 without a tag. */
const tagOf = (name: string): number => {
  const colon = name.lastIndexOf(':');
  return colon > name.lastIndexOf('/') ? colon + 1 : -1;
};

/** An earlier name without the part that both names share up to the tag, or up to the last slash. */
export function earlierName(now: string, before: string): string {
  const shortBefore = changeOf(now, before).before ?? before;
  const folder = before.slice(0, before.lastIndexOf('/') + 1);
  return shortBefore === before && now.startsWith(folder) ? before.slice(folder.length) : shortBefore;
}

/** How an artifact's name changed. `shop:1.12` after `shop:1.11` have `shop:` in common. */
export function changeOf(now: string | null, before: string | null | undefined): NameChange {
  const previous = before ?? null;
  if (now === null || previous === null) return { same: '', before: previous };
  const at = tagOf(now);
  const same = at === -1 || previous === now ? '' : now.slice(0, at);
  return same !== '' && previous.startsWith(same)
    ? { same, before: previous.slice(same.length) }
    : { same: '', before: previous };
}
