import type { ListedVulnerability } from '@assurance/contracts/vulnerabilities/events';
import { compareTexts } from '@assurance/kernel';

/** The preferred kinds of names, best first. */
const PREFIXES = ['CVE-', 'GHSA-'];

function rankOf(id: string): number {
  const rank = PREFIXES.findIndex((prefix) => id.startsWith(prefix));
  return rank < 0 ? PREFIXES.length : rank;
}

/** Sorts the names of one vulnerability: CVE names first, then GHSA names. */
export function sortedNames(names: Iterable<string>): readonly string[] {
  return [...names].sort((a, b) => rankOf(a) - rankOf(b) || compareTexts(a, b));
}

/** Groups the names of each vulnerability: the ids of entries and all aliases that entries list. The time grows with the number of names. */
export class AliasGroups {
  private readonly parents = new Map<string, string>();

  add({ id, aliases }: Pick<ListedVulnerability, 'id' | 'aliases'>): void {
    const root = this.rootOf(id);
    for (const alias of aliases) this.parents.set(this.rootOf(alias), root);
  }

  has(name: string): boolean {
    return this.parents.has(name);
  }

  /** Returns one name for the whole group of a name. It is the same for all names of the group until `add` is called. */
  rootOf(id: string): string {
    const { parents } = this;
    let root = id;
    for (let parent = parents.get(root); parent !== undefined && parent !== root; parent = parents.get(root))
      root = parent;
    // Shorten the path, so that the next look-up of each name on it takes one step.
    for (let at = id; at !== root;) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    parents.set(root, root);
    return root;
  }
}
