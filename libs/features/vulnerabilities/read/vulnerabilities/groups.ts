import { batches } from '@assurance/event-sourcing/projection/batches';
import { compareTexts, sha256, Slices } from '@assurance/kernel';
import { type Documents, foundPages, getAll, type Query } from '@assurance/storage-ports';
import { AliasGroups, sortedNames } from '../../domain/aliases';
import { type EntryRow, entryRows, type MatchRow, matchRows, nameDigest, nameRows, rankOf, rowId } from './rows';

/** The most matches of entries and components that one question goes through. */
const MATCHES_MAX = 200_000;
const PAGE = 1_000;
/** The most entries of one vulnerability, and how often their names lead to others. */
const ENTRIES_MAX = 100;
const STEPS_MAX = 10;
const RANKS = [0, 1, 2, 3, 4];

/** What entries say of a component. */
export interface Match {
  readonly certain: boolean;
  /** Ids of the entries. */
  readonly entries: readonly string[];
  readonly fixedIn: readonly string[];
}

/** One vulnerability with all its names. */
export interface Vulnerability {
  readonly id: string;
  /** The other names. */
  readonly aliases: readonly string[];
  readonly entries: readonly EntryRow[];
  /** The components that have it or may have it, by package URL. */
  readonly matches: ReadonlyMap<string, Match>;
}

/** The vulnerabilities of all components, the worst first. @param rank the least, as `rankOf` makes it; 0 for all */
export async function matchedVulnerabilities(
  documents: Documents,
  org: string,
  rank: number,
): Promise<readonly Vulnerability[] | 'too-many'> {
  const where = { org, severity: { in: RANKS.filter((one) => one >= rank) } };
  const matches = await matchesIn(documents, where);
  if (matches === 'too-many') return matches;
  const entries = await getAll(
    documents.collection(entryRows),
    [...matches.keys()].map((entry) => rowId(org, entry)),
  );
  const groups = new AliasGroups();
  const slices = new Slices();
  for (const entry of entries.values()) {
    await slices.pause();
    groups.add(entry);
  }
  const byGroup = new Map<string, EntryRow[]>();
  for (const entry of entries.values()) {
    if (entry.withdrawn !== null) continue;
    await slices.pause();
    const root = groups.rootOf(entry.id);
    const own = byGroup.get(root);
    if (own === undefined) byGroup.set(root, [entry]);
    else own.push(entry);
  }
  const all: Vulnerability[] = [];
  for (const own of byGroup.values()) {
    await slices.pause();
    const vulnerability = vulnerabilityOf(own, matches);
    if (vulnerability.matches.size > 0) all.push(vulnerability);
  }
  const ranks = new Map(all.map((one) => [one, worst(one.entries)]));
  return all.sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0) || compareTexts(a.id, b.id));
}

/** The vulnerability that has a name, in any letter case; null where no entry has it. Its entries may be withdrawn. */
export async function vulnerabilityNamed(
  documents: Documents,
  org: string,
  name: string,
): Promise<Vulnerability | null | 'too-many'> {
  const entries = new Map<string, EntryRow>();
  const names = new Set<string>();
  let next = [nameDigest(name)];
  for (let step = 0; step < STEPS_MAX && next.length > 0; step += 1) {
    for (const one of next) names.add(one);
    const candidates = new Set<string>();
    for (const some of batches(next)) {
      const where = { org, name: { in: some } };
      for await (const page of foundPages(documents.collection(nameRows), { where }, PAGE)) {
        for (const { doc } of page) candidates.add(rowId(org, doc.entry));
      }
    }
    const found = await getAll(documents.collection(entryRows), candidates);
    const more = new Set<string>();
    for (const [id, entry] of found) {
      const own = [entry.id, ...entry.aliases].map(nameDigest);
      // An older version of it had the name.
      if (entries.has(id) || !own.some((one) => names.has(one))) continue;
      if (entries.size >= ENTRIES_MAX) return 'too-many';
      entries.set(id, entry);
      for (const one of own) if (!names.has(one)) more.add(one);
    }
    next = [...more];
  }
  if (entries.size === 0) return null;
  const digests = [...entries.values()].map(({ id }) => sha256(id));
  const matches = await matchesIn(documents, { org, entry: { in: digests } });
  return matches === 'too-many' ? matches : vulnerabilityOf([...entries.values()], matches);
}

/** Matches by the digest of their entry. */
async function matchesIn(
  documents: Documents,
  where: Query['where'],
): Promise<ReadonlyMap<string, readonly MatchRow[]> | 'too-many'> {
  const matches = new Map<string, MatchRow[]>();
  let count = 0;
  for await (const page of foundPages(documents.collection(matchRows), { where }, PAGE)) {
    for (const { doc } of page) {
      const own = matches.get(doc.entry);
      if (own === undefined) matches.set(doc.entry, [doc]);
      else own.push(doc);
    }
    if ((count += page.length) > MATCHES_MAX) return 'too-many';
  }
  return matches;
}

function vulnerabilityOf(
  entries: readonly EntryRow[],
  matches: ReadonlyMap<string, readonly MatchRow[]>,
): Vulnerability {
  const [id = '', ...aliases] = sortedNames(new Set(entries.flatMap((entry) => [entry.id, ...entry.aliases])));
  const byPurl = new Map<string, Match>();
  // Rows come in any order.
  const inOrder = [...entries].sort((a, b) => compareTexts(a.id, b.id));
  for (const entry of inOrder) {
    if (entry.withdrawn !== null) continue;
    for (const { purl, certain, version, fixedIn } of matches.get(sha256(entry.id)) ?? []) {
      // A newer version of the entry says no.
      if (version < entry.version) continue;
      const before = byPurl.get(purl);
      byPurl.set(purl, {
        certain: certain || before?.certain === true,
        entries: [...(before?.entries ?? []), entry.id],
        fixedIn: [...new Set([...(before?.fixedIn ?? []), ...fixedIn])],
      });
    }
  }
  return { id, aliases, entries: inOrder, matches: byPurl };
}

/** The worst severity of entries that stand, as `rankOf` makes it. */
export function worst(entries: readonly EntryRow[]): number {
  return Math.max(0, ...entries.filter(({ withdrawn }) => withdrawn === null).map(({ severity }) => rankOf(severity)));
}
