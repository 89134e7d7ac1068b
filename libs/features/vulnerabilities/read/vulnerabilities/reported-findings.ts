import type { ListedFinding } from '@assurance/contracts/evidence/events';
import { addTo, pieces, Slices } from '@assurance/kernel';
import { type Documents, pagesAmong } from '@assurance/storage-ports';
import { type Budget, getWithin } from './budget';
import {
  type EntryRow,
  entryRows,
  findingNames,
  findingParts,
  findingUses,
  nameDigest,
  nameRows,
  rowId,
  type ScanRow,
  scanRows,
} from './rows';

const PAGE = 1_000;
/** The most reports that one query reads, and the most findings in their parts. */
const SCANS_MAX = 50_000;
const FINDINGS_MAX = 200_000;
/** How many finding parts, and how many entries, one read returns. A part has up to 256 KiB. */
export const PARTS_TOGETHER = 16;
export const ENTRIES_TOGETHER = 100;

/** A finding, and the newest reports that contain it. */
export interface ReportedFinding {
  readonly finding: ListedFinding;
  readonly scans: readonly ScanRow[];
}

/** Returns the newest reports with findings on some subjects. `subjectOf` makes the subjects. */
export async function scansOfSubjects(
  documents: Documents,
  org: string,
  subjects: readonly string[],
): Promise<readonly ScanRow[]> {
  const scans: ScanRow[] = [];
  for await (const page of pagesAmong(documents.collection(scanRows), { org }, 'subject', subjects, PAGE)) {
    for (const { doc } of page) if (doc.listed > 0) scans.push(doc);
  }
  return scans;
}

/**
 * Returns the findings with a name in the newest reports, or `too-many` beyond the limits.
 *
 * @param names digests of names
 * @param isWanted whether a finding of these parts has one of the names
 */
export async function findingsWithNames(
  documents: Documents,
  org: string,
  names: readonly string[],
  budget: Budget,
  isWanted = isNamed(new Set(names)),
): Promise<readonly ReportedFinding[] | 'too-many'> {
  const parts = new Set<string>();
  for await (const page of pagesAmong(documents.collection(findingNames), { org }, 'name', names, PAGE)) {
    for (const { doc } of page) parts.add(doc.part);
  }
  const keys = new Set<string>();
  for await (const page of pagesAmong(documents.collection(findingUses), { org }, 'part', parts, PAGE)) {
    for (const { doc } of page) keys.add(doc.scan);
  }
  if (keys.size > SCANS_MAX) return 'too-many';
  const scans: ScanRow[] = [];
  for await (const page of pagesAmong(documents.collection(scanRows), { org }, 'scan', keys, PAGE)) {
    for (const { doc } of page) scans.push(doc);
  }
  return findingsIn(documents, org, scans, { parts, isWanted }, budget);
}

function isNamed(digests: ReadonlySet<string>): (finding: ListedFinding) => boolean {
  return (finding) => namesThatFind(finding).some((name) => digests.has(nameDigest(name)));
}

/** Returns the findings of reports, or `too-many` beyond the limits. @param only the findings to keep, and digests of their parts; null for all */
export async function findingsIn<Report extends Pick<ScanRow, 'scan'>>(
  documents: Documents,
  org: string,
  scans: readonly Report[],
  only: { readonly parts: ReadonlySet<string>; readonly isWanted: (finding: ListedFinding) => boolean } | null,
  budget: Budget,
): Promise<readonly { readonly finding: ListedFinding; readonly scans: readonly Report[] }[] | 'too-many'> {
  const byKey = new Map(scans.map((scan) => [scan.scan, scan]));
  const byPart = new Map<string, Report[]>();
  for await (const page of pagesAmong(documents.collection(findingUses), { org }, 'scan', byKey.keys(), PAGE)) {
    for (const { doc } of page) {
      const scan = byKey.get(doc.scan);
      if (scan === undefined || only?.parts.has(doc.part) === false) continue;
      addTo(byPart, doc.part, scan);
    }
  }
  const all: { finding: ListedFinding; scans: readonly Report[] }[] = [];
  const slices = new Slices();
  for (const some of pieces([...byPart], PARTS_TOGETHER)) {
    const ids = some.map(([part]) => rowId(org, part));
    const parts = await documents.collection(findingParts).getMany(ids);
    for (const [part, own] of some) {
      for (const finding of parts.get(rowId(org, part))?.findings ?? []) {
        await slices.pause();
        if (only?.isWanted(finding) === false) continue;
        if (!budget.hasRoomFor(finding)) return 'too-many';
        all.push({ finding, scans: own });
      }
    }
    if (all.length > FINDINGS_MAX) return 'too-many';
  }
  return all;
}

/** Yields the database entries that share a name with findings, with their document ids. Any number of entries may have one name. */
export async function* entriesOf(
  documents: Documents,
  org: string,
  findings: readonly Pick<ListedFinding, 'id' | 'aliases'>[],
): AsyncGenerator<readonly [id: string, entry: EntryRow]> {
  const names = new Set(findings.flatMap(namesOfFinding));
  const ids = new Set<string>();
  const pages = pagesAmong(documents.collection(nameRows), { org }, 'name', new Set([...names].map(nameDigest)), PAGE);
  for await (const page of pages) {
    for (const { doc } of page) ids.add(rowId(org, doc.entry));
  }
  for (const some of pieces([...ids], ENTRIES_TOGETHER)) {
    for (const [id, entry] of await documents.collection(entryRows).getMany(some)) {
      // Skip an entry if only an older version of it had the name.
      if (namesOfFinding(entry).some((name) => names.has(name))) yield [id, entry];
    }
  }
}

/** Reads the entries with some ids, and the entries that share a name with findings, or returns `too-many` beyond the budget. */
export async function readEntries(
  documents: Documents,
  org: string,
  ids: Iterable<string>,
  findings: readonly Pick<ListedFinding, 'id' | 'aliases'>[],
  budget: Budget,
): Promise<ReadonlyMap<string, EntryRow> | 'too-many'> {
  const matched = await getWithin(documents.collection(entryRows), ids, budget, ENTRIES_TOGETHER);
  if (matched === 'too-many') return matched;
  const entries = new Map(matched);
  for await (const [id, entry] of entriesOf(documents, org, findings)) {
    if (entries.has(id)) continue;
    if (!budget.hasRoomFor(entry)) return 'too-many';
    entries.set(id, entry);
  }
  return entries;
}

/** Its names, and the names of advisories that mention it. */
export function namesThatFind({
  related = [],
  ...own
}: Pick<ListedFinding, 'id' | 'aliases' | 'related'>): readonly string[] {
  return [...namesOfFinding(own), ...related];
}

export function namesOfFinding({ id, aliases }: Pick<ListedFinding, 'id' | 'aliases'>): readonly string[] {
  return [id, ...aliases];
}
