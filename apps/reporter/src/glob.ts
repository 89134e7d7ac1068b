import { posix } from 'node:path';

/** The part of a file system that a pattern needs. */
export interface Folders {
  exists(path: string): boolean;
  /** Names in a folder; null if the path is not a folder. */
  namesIn(path: string): readonly string[] | null;
}

/**
 * Returns the paths that match a pattern. `*`, `?` and `[…]` match within a name, and `\` makes the next character literal (Go's `filepath.Glob`). A
 * path without these is returned unchanged.
 */
export function glob(folders: Folders, pattern: string): string[] {
  if (!/[*?[\\]/.test(pattern)) return folders.exists(pattern) ? [pattern] : [];
  const at = pattern.lastIndexOf('/') + 1;
  const parent = at <= 1 ? pattern.slice(0, at) || '.' : pattern.slice(0, at - 1);
  const name = nameExpression(pattern.slice(at));
  const parents = /[*?[\\]/.test(parent) ? glob(folders, parent) : [parent];
  return parents.flatMap((folder) =>
    [...(folders.namesIn(folder) ?? [])].filter((item) => name.test(item)).map((item) => posix.join(folder, item)),
  );
}

/**
 * The same with `**`, which matches a path and everything below it. The pieces are joined as texts: `**\/name` does not match the name at the top,
 * but `**\/*.log` does match there. The digests of the published command line depend on this.
 */
export function globDeep(folders: Folders, pattern: string): string[] {
  if (!pattern.includes('**')) return glob(folders, pattern);
  let matches = [''];
  for (const piece of pattern.split('**')) {
    const hits = new Set<string>();
    for (const match of matches) for (const path of glob(folders, match + piece)) addBelow(folders, path, hits);
    matches = [...hits];
  }
  return matches;
}

function addBelow(folders: Folders, path: string, hits: Set<string>): void {
  hits.add(path);
  for (const name of folders.namesIn(path) ?? []) addBelow(folders, posix.join(path, name), hits);
}

function nameExpression(pattern: string): RegExp {
  const pieces = pattern.matchAll(
    /\\(?<plain>.)|\[(?<not>\^?)(?<set>(?:\\.|[^\]\\])+)\]|(?<any>\*)|(?<one>\?)|(?<text>[^\\[])/gsuy,
  );
  let source = '';
  let length = 0;
  for (const { 0: piece, groups: { plain, not = '', set, any, one, text } = {} } of pieces) {
    length += piece.length;
    if (any !== undefined) source += '[^/]*';
    else if (one !== undefined) source += '[^/]';
    else if (set !== undefined)
      source += `[${not}${set.replace(/[\\^[]/g, (sign) => (sign === '\\' ? sign : `\\${sign}`))}]`;
    else source += (plain ?? text ?? '').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
  if (length !== pattern.length) throw new Error(`${pattern} is not a pattern: close the bracket.`);
  return new RegExp(`^${source}$`, 's');
}
