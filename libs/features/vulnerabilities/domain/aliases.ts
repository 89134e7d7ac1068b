import type { ListedVulnerability } from '@assurance/contracts/vulnerabilities/events';
import { compareTexts } from '@assurance/kernel';

/** Which name of a vulnerability people use first. */
const PREFIXES = ['CVE-', 'GHSA-'];

function rankOf(id: string): number {
  const rank = PREFIXES.findIndex((prefix) => id.startsWith(prefix));
  return rank < 0 ? PREFIXES.length : rank;
}

/** The names of one vulnerability in their order: a CVE is the first, a GHSA the next. */
export function sortedNames(names: Iterable<string>): readonly string[] {
  return [...names].sort((a, b) => rankOf(a) - rankOf(b) || compareTexts(a, b));
}

/**
 * The names that are of one vulnerability: entries, and what they or others call their aliases. The time grows with the number of names.
 */
export class AliasGroups {
  private readonly parents = new Map<string, string>();

  add({ id, aliases }: Pick<ListedVulnerability, 'id' | 'aliases'>): void {
    const root = this.rootOf(id);
    for (const alias of aliases) this.parents.set(this.rootOf(alias), root);
  }

  /** A name that stands for all that are of one vulnerability with this one, while nothing is added. */
  rootOf(id: string): string {
    const { parents } = this;
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
  }
}
