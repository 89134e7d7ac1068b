import { batches } from '@assurance/event-sourcing/projection/batches';
import { addTo, canonicalJson, compareTexts, getOrInsert, sha256, Slices } from '@assurance/kernel';
import { type Documents, findPages, pagesAmong, pagesBy, type StoredDocument } from '@assurance/storage-ports';
import { AliasGroups, namesOf } from '../../domain/aliases';
import { rankOf } from '../../domain/severity';
import { Budget, getWithin } from './budget';
import {
  ENTRIES_TOGETHER,
  findingsIn,
  findingsWithNames,
  namesThatFind,
  namesOfFinding,
  readEntries,
  type ReportedFinding,
} from './reported-findings';
import { type EntryRow, entryRows, type MatchRow, matchRows, nameDigest, nameRows, rowId, type ScanRow } from './rows';

/** The most matches of entries and components that one query reads. */
const MATCHES_MAX = 200_000;
const PAGE = 1_000;
/** The most entries of one vulnerability, and the most steps from names to further names. */
const ENTRIES_MAX = 100;
/** The most entries that mention a vulnerability. Distributions have hundreds of advisories for one CVE. */
const RELATED_MAX = 2_000;
const STEPS_MAX = 10;
/** The most entries that have a name, or had it in an older version. */
const CANDIDATES_MAX = 10_000;

/** The result of entries for a component. */
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
  /** Entries about several vulnerabilities that mention this one; only where it is looked up by name. */
  readonly linked: readonly EntryRow[];
  /** The components that have it or may have it, by package URL. */
  readonly matches: ReadonlyMap<string, Match>;
  /** The findings of scanners in artifacts. */
  readonly findings: readonly ReportedFinding[];
}

/**
 * Returns the vulnerabilities of some components and of the findings of some reports, worst first. It reads nothing about other components and
 * reports.
 *
 * @param purls canonical, of the components
 */
export async function vulnerabilitiesOfComponents(
  documents: Documents,
  org: string,
  purls: readonly string[],
  scans: readonly ScanRow[],
  budget = new Budget(),
): Promise<readonly Vulnerability[] | 'too-many'> {
  const matches = await matchesOfComponents(documents, org, purls, budget);
  if (matches === 'too-many') return matches;
  const findings = await findingsIn(documents, org, scans, null, budget);
  return findings === 'too-many' ? findings : groupedByName(documents, org, matches, findings, budget);
}

/**
 * Groups entries and findings that share a name, also through other entries and findings. Withdrawn entries join groups by their names, and are in
 * none.
 *
 * @returns the groups by the name that `groups.rootOf` returns for all of their names
 */
export async function groupByNames(
  entries: Iterable<EntryRow>,
  findings: readonly ReportedFinding[],
): Promise<{ readonly groups: AliasGroups; readonly byRoot: ReadonlyMap<string, Sources> }> {
  const slices = new Slices();
  const groups = new AliasGroups();
  const rows = [...entries];
  for (const named of [...rows, ...findings.map(({ finding }) => finding)]) {
    await slices.pause();
    groups.add(named);
  }
  const byRoot = new Map<string, Sources>();
  const sourcesOf = (root: string) => getOrInsert(byRoot, root, (): Sources => ({ entries: [], findings: [] }));
  for (const entry of rows) {
    await slices.pause();
    if (entry.withdrawn === null) for (const root of groups.rootsOf(entry)) sourcesOf(root).entries.push(entry);
  }
  for (const reported of findings) {
    await slices.pause();
    for (const root of groups.rootsOf(reported.finding)) sourcesOf(root).findings.push(reported);
  }
  return { groups, byRoot };
}

/** Groups matches and findings by vulnerability, worst first. */
async function groupedByName(
  documents: Documents,
  org: string,
  matches: ReadonlyMap<string, readonly MatchRow[]>,
  findings: readonly ReportedFinding[],
  budget: Budget,
): Promise<readonly Vulnerability[] | 'too-many'> {
  const matchedRows = [...matches.keys()].map((entry) => rowId(org, entry));
  const reportedFindings = findings.map(({ finding }) => finding);
  const entries = await readEntries(documents, org, matchedRows, reportedFindings, budget);
  if (entries === 'too-many') return entries;
  const { groups, byRoot } = await groupByNames(entries.values(), findings);
  const slices = new Slices();
  const all: Vulnerability[] = [];
  for (const [root, sources] of byRoot) {
    await slices.pause();
    const vulnerability = vulnerabilityOf(sources, matches, (name) => groups.rootOf(name) === root);
    if (vulnerability.matches.size > 0 || vulnerability.findings.length > 0) all.push(vulnerability);
  }
  const ranks = new Map(all.map((one) => [one, worst(one)]));
  return all.sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0) || compareTexts(a.id, b.id));
}

/**
 * Returns the vulnerability with a name, in any letter case, and the entries about several vulnerabilities that mention it. The name of such an entry,
 * and of an advisory that findings mention, finds them alone. It returns null if nothing has the name. The entries may be withdrawn.
 */
export async function findVulnerabilityByName(
  documents: Documents,
  org: string,
  name: string,
  budget = new Budget(),
): Promise<Vulnerability | null | 'too-many'> {
  const entries = new Map<string, EntryRow>();
  const related = new Map<string, EntryRow>();
  const findings = new Map<string, ReportedFinding>();
  const names = new Set<string>();
  let next = [nameDigest(name)];
  for (let step = 0; step < STEPS_MAX && next.length > 0; step += 1) {
    for (const name of next) names.add(name);
    const candidates = new Set<string>();
    for await (const page of pagesAmong(documents.collection(nameRows), { org }, 'name', next, PAGE)) {
      for (const { doc } of page) candidates.add(rowId(org, doc.entry));
      if (candidates.size > CANDIDATES_MAX) return 'too-many';
    }
    const nextNames = new Set<string>();
    const nextFindings = await findingsWithNames(documents, org, next, budget);
    if (nextFindings === 'too-many') return nextFindings;
    for (const finding of nextFindings) {
      findings.set(canonicalJson(finding.finding) + finding.scans.map(({ scan }) => scan).join(), finding);
      const ownNames = namesOfFinding(finding.finding).map(nameDigest);
      if (!ownNames.some((one) => names.has(one))) continue;
      for (const name of ownNames) if (!names.has(name)) nextNames.add(name);
    }
    const read = await getWithin(documents.collection(entryRows), candidates, budget, ENTRIES_TOGETHER);
    if (read === 'too-many') return read;
    for (const [id, entry] of read) {
      const ownNames = namesOfFinding(entry).map(nameDigest);
      // Skip an entry if only an older version of it had the name.
      if (entries.has(id) || !namesThatFind(entry).some((one) => names.has(nameDigest(one)))) continue;
      if (!ownNames.some((one) => names.has(one))) {
        if (related.size >= RELATED_MAX) return 'too-many';
        related.set(id, entry);
        continue;
      }
      if (entries.size >= ENTRIES_MAX) return 'too-many';
      related.delete(id);
      entries.set(id, entry);
      for (const name of ownNames) if (!names.has(name)) nextNames.add(name);
    }
    next = [...nextNames];
  }
  const { linked, isName, ...sources } = sourcesNamed(
    name,
    [...entries.values(), ...related.values()],
    [...findings.values()],
  );
  if (sources.entries.length === 0 && sources.findings.length === 0 && linked.length === 0) return null;
  const digests = [...sources.entries, ...linked].map(({ id }) => sha256(id));
  const matches = await matchesOfEntries(documents, org, digests, budget);
  return matches === 'too-many' ? matches : vulnerabilityOf(sources, matches, isName, linked);
}

/** Of entries and findings that share names with each other: those with a name, in any letter case, and the entries that mention it. */
function sourcesNamed(name: string, entries: readonly EntryRow[], findings: readonly ReportedFinding[]) {
  const lower = ({ id, aliases }: Pick<EntryRow, 'id' | 'aliases'>) => ({
    id: id.toLowerCase(),
    aliases: aliases.map((alias) => alias.toLowerCase()),
  });
  const groups = new AliasGroups();
  for (const named of [...entries, ...findings.map(({ finding }) => finding)]) groups.add(lower(named));
  const root = groups.rootOf(name.toLowerCase());
  const isName = (one: string) => groups.rootOf(one.toLowerCase()) === root;
  const isAbout = (named: Pick<EntryRow, 'id' | 'aliases'>) =>
    isName(named.id) || groups.rootsOf(lower(named)).includes(root);
  const isLinked = (named: Pick<EntryRow, 'id' | 'aliases' | 'related'>) => namesThatFind(named).some(isName);
  const own = findings.filter(({ finding }) => isAbout(finding));
  return {
    isName,
    entries: entries.filter(isAbout),
    linked: entries.filter((entry) => !isAbout(entry) && isLinked(entry)),
    findings: own.length > 0 ? own : findings.filter(({ finding }) => isLinked(finding)),
  };
}

/** Returns the matches of some components, by the digest of their entry. */
function matchesOfComponents(documents: Documents, org: string, purls: readonly string[], budget: Budget) {
  const collection = documents.collection(matchRows);
  return matchesIn(
    batches(purls).map((some) => findPages(collection, { where: { org, purl: { in: some } } }, PAGE)),
    budget,
  );
}

/** Returns the matches of some entries, by the digest of the entry. @param entries digests of their ids */
export function matchesOfEntries(documents: Documents, org: string, entries: readonly string[], budget: Budget) {
  const collection = documents.collection(matchRows);
  return matchesIn(
    entries.map((entry) => pagesBy(collection, { org, entry }, 'purl', PAGE - 1)),
    budget,
  );
}

async function matchesIn(
  lists: readonly AsyncIterable<readonly StoredDocument<MatchRow>[]>[],
  budget: Budget,
): Promise<ReadonlyMap<string, readonly MatchRow[]> | 'too-many'> {
  const matches = new Map<string, MatchRow[]>();
  let count = 0;
  for (const pages of lists) {
    for await (const page of pages) {
      for (const { doc } of page) {
        if (!budget.hasRoomFor(doc)) return 'too-many';
        addTo(matches, doc.entry, doc);
      }
      if ((count += page.length) > MATCHES_MAX) return 'too-many';
    }
  }
  return matches;
}

/** The sources of information about a vulnerability. */
interface Sources {
  readonly entries: EntryRow[];
  readonly findings: ReportedFinding[];
}

export function vulnerabilityOf(
  { entries, findings }: Sources,
  matches: ReadonlyMap<string, readonly MatchRow[]>,
  isName: (name: string) => boolean,
  linked: readonly EntryRow[] = [],
): Vulnerability {
  const sources = [...entries, ...findings.map(({ finding }) => finding)];
  const { id, aliases } = namesOf(sources.length > 0 ? sources : linked, isName);
  const byPurl = new Map<string, Match>();
  // Rows arrive in any order.
  const inOrder = [...entries].sort((a, b) => compareTexts(a.id, b.id));
  for (const entry of [...inOrder, ...linked]) {
    if (entry.withdrawn !== null) continue;
    for (const { purl, certain, version, fixedIn } of matches.get(sha256(entry.id)) ?? []) {
      // A match of an older version no longer counts.
      if (version < entry.version) continue;
      const before = byPurl.get(purl);
      byPurl.set(purl, {
        certain: certain || before?.certain === true,
        entries: [...(before?.entries ?? []), entry.id],
        fixedIn: [...new Set([...(before?.fixedIn ?? []), ...fixedIn])],
      });
    }
  }
  return { id, aliases, entries: inOrder, linked, matches: byPurl, findings };
}

/** Returns the worst severity of findings and of entries that are not withdrawn, as `rankOf` returns it. */
export function worst({ entries, findings }: Pick<Vulnerability, 'entries' | 'findings'>): number {
  const valid = entries.filter(({ withdrawn }) => withdrawn === null);
  let rank = 0;
  for (const { severity } of valid) rank = Math.max(rank, rankOf(severity));
  for (const { finding } of findings) rank = Math.max(rank, rankOf(finding.severity));
  return rank;
}
