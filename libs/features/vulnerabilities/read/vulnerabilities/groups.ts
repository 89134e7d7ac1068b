import { batches } from '@assurance/event-sourcing/projection/batches';
import { addTo, canonicalJson, compareTexts, getOrInsert, sha256, Slices } from '@assurance/kernel';
import { type Documents, findPages, pagesAmong, pagesBy, type StoredDocument } from '@assurance/storage-ports';
import { AliasGroups, sortedNames } from '../../domain/aliases';
import { rankOf } from '../../domain/severity';
import { Budget, getWithin } from './budget';
import {
  ENTRIES_TOGETHER,
  findingsIn,
  findingsWithNames,
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
  const sourcesOf = (id: string) =>
    getOrInsert(byRoot, groups.rootOf(id), (): Sources => ({ entries: [], findings: [] }));
  for (const entry of rows) {
    await slices.pause();
    if (entry.withdrawn === null) sourcesOf(entry.id).entries.push(entry);
  }
  for (const reported of findings) {
    await slices.pause();
    sourcesOf(reported.finding.id).findings.push(reported);
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
  const { byRoot } = await groupByNames(entries.values(), findings);
  const slices = new Slices();
  const all: Vulnerability[] = [];
  for (const sources of byRoot.values()) {
    await slices.pause();
    const vulnerability = vulnerabilityOf(sources, matches);
    if (vulnerability.matches.size > 0 || vulnerability.findings.length > 0) all.push(vulnerability);
  }
  const ranks = new Map(all.map((one) => [one, worst(one)]));
  return all.sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0) || compareTexts(a.id, b.id));
}

/**
 * Returns the vulnerability with a name, in any letter case. It returns null if no entry and no finding has the name. The entries may be withdrawn.
 */
export async function findVulnerabilityByName(
  documents: Documents,
  org: string,
  name: string,
  budget = new Budget(),
): Promise<Vulnerability | null | 'too-many'> {
  const entries = new Map<string, EntryRow>();
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
      for (const name of namesOfFinding(finding.finding).map(nameDigest)) if (!names.has(name)) nextNames.add(name);
    }
    const read = await getWithin(documents.collection(entryRows), candidates, budget, ENTRIES_TOGETHER);
    if (read === 'too-many') return read;
    for (const [id, entry] of read) {
      const ownNames = namesOfFinding(entry).map(nameDigest);
      // Skip an entry if only an older version of it had the name.
      if (entries.has(id) || !ownNames.some((one) => names.has(one))) continue;
      if (entries.size >= ENTRIES_MAX) return 'too-many';
      entries.set(id, entry);
      for (const name of ownNames) if (!names.has(name)) nextNames.add(name);
    }
    next = [...nextNames];
  }
  if (entries.size === 0 && findings.size === 0) return null;
  const digests = [...entries.values()].map(({ id }) => sha256(id));
  const matches = await matchesOfEntries(documents, org, digests, budget);
  return matches === 'too-many'
    ? matches
    : vulnerabilityOf({ entries: [...entries.values()], findings: [...findings.values()] }, matches);
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
): Vulnerability {
  const names = [...entries, ...findings.map(({ finding }) => finding)].flatMap(namesOfFinding);
  const [id = '', ...aliases] = sortedNames(new Set(names));
  const byPurl = new Map<string, Match>();
  // Rows arrive in any order.
  const inOrder = [...entries].sort((a, b) => compareTexts(a.id, b.id));
  for (const entry of inOrder) {
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
  return { id, aliases, entries: inOrder, matches: byPurl, findings };
}

/** Returns the worst severity of findings and of entries that are not withdrawn, as `rankOf` returns it. */
export function worst({ entries, findings }: Pick<Vulnerability, 'entries' | 'findings'>): number {
  const valid = entries.filter(({ withdrawn }) => withdrawn === null);
  let rank = 0;
  for (const { severity } of valid) rank = Math.max(rank, rankOf(severity));
  for (const { finding } of findings) rank = Math.max(rank, rankOf(finding.severity));
  return rank;
}
