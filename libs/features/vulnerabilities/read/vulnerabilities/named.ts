import type { ListedFinding } from '@assurance/contracts/evidence/events';
import { SEVERITIES } from '@assurance/contracts/vulnerabilities/events';
import { pieces, Slices } from '@assurance/kernel';
import type { MatchedVulnerability } from '@assurance/policies/domain/vulnerable';
import type { Documents } from '@assurance/storage-ports';
import { namesOf } from '../../domain/aliases';
import type { Budget } from './budget';
import { readEntries } from './reported-findings';
import { groupByNames, worst } from './groups';
import { type EntryRow, rowId } from './rows';
import { statementsOn, VexStates } from './vex-states';

/** How many vulnerabilities are looked up together. */
const NAMES_TOGETHER = 100;

/** A component of a part that matches an entry. */
export interface PartMatch {
  /** Digest of the id of the entry. */
  readonly entry: string;
  readonly purl: string;
  readonly version: string;
  readonly certain: boolean;
}
export type PartMatches = ReadonlyMap<string, readonly PartMatch[]>;

/** One vulnerability with all its names, and the VEX statements about it. */
export interface NamedVulnerability extends Pick<MatchedVulnerability, 'id' | 'aliases' | 'severity' | 'published'> {
  readonly states: VexStates;
  /** Whether there are more statements than may be read. If so, none is read. */
  readonly hasUnread: boolean;
}

/**
 * Returns the vulnerabilities of a match or of a finding. It returns none if the entry no longer matches the component, or if the entry was withdrawn.
 */
export interface Vulnerabilities {
  readonly ofMatch: (match: PartMatch) => readonly NamedVulnerability[];
  readonly ofFinding: (finding: ListedFinding) => readonly NamedVulnerability[];
}

/**
 * Groups matches and findings into vulnerabilities by all their names.
 *
 * @param roots names by which VEX statements know artifacts, by fingerprint
 * @returns `too-many` beyond the budget
 */
export async function vulnerabilitiesOf(
  documents: Documents,
  org: string,
  matches: PartMatches,
  findings: readonly ListedFinding[],
  roots: ReadonlyMap<string, readonly string[]>,
  budget: Budget,
): Promise<Vulnerabilities | 'too-many'> {
  const ids = new Set<string>();
  const slices = new Slices();
  for (const own of matches.values()) {
    await slices.pause();
    for (const { entry } of own) ids.add(rowId(org, entry));
  }
  const entries = await readEntries(documents, org, ids, findings, budget);
  if (entries === 'too-many') return entries;
  const reportedFindings = findings.map((finding) => ({ finding, scans: [] }));
  const { groups, byRoot } = await groupByNames(entries.values(), reportedFindings);
  const vulnerabilities = new Map<string, NamedVulnerability>();
  for (const some of pieces([...byRoot], NAMES_TOGETHER)) {
    const groupsOfNames = some.map(([root, sources]) => {
      const all = [...sources.entries, ...sources.findings.map(({ finding }) => finding)];
      return { root, sources, all, ...namesOf(all, (name) => groups.rootOf(name) === root) };
    });
    const allNames = groupsOfNames.flatMap(({ id, aliases }) => [id, ...aliases]);
    const statements = await statementsOn(documents, org, allNames);
    for (const { root, sources, all, id, aliases } of groupsOfNames) {
      await slices.pause();
      const published = all.flatMap((one) => one.published ?? []);
      vulnerabilities.set(root, {
        id,
        aliases,
        severity: SEVERITIES[worst(sources) - 1] ?? null,
        published: published.length === 0 ? null : published.reduce((a, b) => Math.min(a, b)),
        // If there are too many statements to read, none excludes a vulnerability.
        hasUnread: statements === 'too-many',
        states: new VexStates({ id, aliases }, statements === 'too-many' ? new Map() : statements, roots),
      });
    }
  }
  const vulnerabilitiesIn = (named: Pick<EntryRow, 'id' | 'aliases'>) =>
    groups.rootsOf(named).flatMap((root) => vulnerabilities.get(root) ?? []);
  return {
    ofMatch: ({ entry, version }) => {
      const row = entries.get(rowId(org, entry));
      return row === undefined || row.withdrawn !== null || version < row.version ? [] : vulnerabilitiesIn(row);
    },
    ofFinding: vulnerabilitiesIn,
  };
}
