import { compareTexts } from '@assurance/kernel';
import type { Vulnerability } from './vulnerability';

/** Which name of a vulnerability people use first. */
const PREFIXES = ['CVE-', 'GHSA-'];

function rankOf(id: string): number {
  const rank = PREFIXES.findIndex((prefix) => id.startsWith(prefix));
  return rank < 0 ? PREFIXES.length : rank;
}

/**
 * The names that are of one vulnerability: entries, and what they or others call their aliases. A CVE is the first of its group, a GHSA the next.
 * The groups are in the order of their first names. The time grows with the number of names.
 */
export function aliasGroups(
  vulnerabilities: Iterable<Pick<Vulnerability, 'id' | 'aliases'>>,
): readonly (readonly string[])[] {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let parent = parents.get(root); parent !== undefined && parent !== root; parent = parents.get(root))
      root = parent;
    // The next look-up of each name on the way takes one step.
    for (let at = id; at !== root;) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    parents.set(root, root);
    return root;
  };
  for (const { id, aliases } of vulnerabilities) {
    const root = rootOf(id);
    for (const alias of aliases) parents.set(rootOf(alias), root);
  }
  const groups = new Map<string, string[]>();
  for (const id of parents.keys()) {
    const root = rootOf(id);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [id]);
    else group.push(id);
  }
  return [...groups.values()]
    .map((ids) => ids.toSorted((a, b) => rankOf(a) - rankOf(b) || compareTexts(a, b)))
    .sort(([a = ''], [b = '']) => compareTexts(a, b));
}
