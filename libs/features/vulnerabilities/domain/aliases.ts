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

/** Names of one vulnerability. */
type Names = Pick<ListedVulnerability, 'id' | 'aliases'>;

const CVE = /^CVE-/i;

/**
 * The vulnerabilities that an entry or a finding is about, each with its names. One that names several CVEs is about each of them, so its own name and
 * its other names say nothing about which names mean the same. The list has one item otherwise.
 */
export function namedBy({ id, aliases }: Names): readonly Names[] {
  const cves = new Map([id, ...aliases].filter((name) => CVE.test(name)).map((name) => [name.toUpperCase(), name]));
  if (cves.size < 2) return [{ id, aliases }];
  if (CVE.test(id)) return [{ id, aliases: aliases.filter((name) => !CVE.test(name)) }];
  return [...cves.values()].map((cve) => ({ id: cve, aliases: [] }));
}

/** The vulnerabilities that an entry or a finding is about: one name of each, and the best of the names that it has here. */
export function bestNames(entry: Names): readonly { readonly id: string; readonly best: string }[] {
  return namedBy(entry).map(({ id, aliases }) => ({ id, best: sortedNames([id, ...aliases])[0] ?? id }));
}

/**
 * The names of a vulnerability, from what is about it.
 *
 * @param isName whether a name is one of its names
 */
export function namesOf(
  sources: readonly (Names & Pick<ListedVulnerability, 'related'>)[],
  isName: (name: string) => boolean,
): Names {
  const names = new Set(
    sources.flatMap(({ id, aliases, related = [] }) => [id, ...aliases, ...related]).filter(isName),
  );
  const preferred = sources.flatMap(bestNames).filter(({ id }) => isName(id));
  const [id = sortedNames(names)[0] ?? ''] = sortedNames(preferred.map(({ id, best }) => (isName(best) ? best : id)));
  names.delete(id);
  return { id, aliases: sortedNames(names) };
}

/**
 * Groups the names of each vulnerability: the ids of entries and all aliases that entries list. Two CVEs are never one vulnerability, so a name joins the
 * first one only. The time grows with the number of names.
 */
export class AliasGroups {
  private readonly parents = new Map<string, string>();
  /** The CVE of a group, in upper case, by the root of the group. */
  private readonly cves = new Map<string, string>();

  add(entry: Names): void {
    for (const { id, aliases } of namedBy(entry)) {
      this.rootOf(id);
      for (const alias of aliases) this.join(this.rootOf(id), this.rootOf(alias));
    }
  }

  /** The groups of the vulnerabilities that an entry is about. */
  rootsOf(entry: Names): readonly string[] {
    return [...new Set(namedBy(entry).map(({ id }) => this.rootOf(id)))];
  }

  private join(root: string, other: string): void {
    const [cve, otherCve] = [this.cves.get(root), this.cves.get(other)];
    if (root === other || (cve !== undefined && otherCve !== undefined && cve !== otherCve)) return;
    this.parents.set(other, root);
    if (cve === undefined && otherCve !== undefined) this.cves.set(root, otherCve);
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
    if (!parents.has(root) && CVE.test(root)) this.cves.set(root, root.toUpperCase());
    parents.set(root, root);
    return root;
  }
}
