import type { EventMeta } from '@assurance/contracts/events/event';
import type { AttestationReported, ComponentsListed, FindingsListed } from '@assurance/contracts/evidence/events';
import type {
  ListedPackage,
  VexStatementsListed,
  VulnerabilitiesImported,
  VulnerabilitiesListed,
} from '@assurance/contracts/vulnerabilities/events';
import { batches, removeDuplicates, putRows } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import { type Purl, readPurl } from '@assurance/evidence/domain/purl';
import { canonicalJson, groupBy, pieces, sha256, Slices } from '@assurance/kernel';
import { type Collection, type Documents, getAll, pagesAmong } from '@assurance/storage-ports';
import { affectedComponents, keysOfComponent, keysOfPackage } from '../../domain/affects';
import { rankOf } from '../../domain/severity';
import { collectFindings, collectScan, type ScanChanges, writeScans } from './follow-scans';
import {
  type EntryRow,
  entryRows,
  type ImportRow,
  importRows,
  matchedEntries,
  type MatchedEntry,
  type MatchRow,
  matchRows,
  nameDigest,
  type NameRow,
  nameRows,
  type PackageRow,
  packageRows,
  type PurlRow,
  purlRows,
  rowId,
  type StatementRow,
  statementRows,
  versionOf,
  vulnerabilityCollections,
} from './rows';

/** For how many keys components or packages are looked up together, and how many of them one read returns. A package has up to a MiB. */
const KEYS_TOGETHER = 100;
const PURLS_PAGE = 1_000;
const PACKAGES_PAGE = 50;
/** The most fixed versions in a match. */
const FIXED_MAX = 20;
/** The longest fixed version in a match (UTF-16 units). Longer ones are not compared. */
const VERSION_MAX = 256;

type FollowedEvent =
  | VulnerabilitiesListed
  | VexStatementsListed
  | VulnerabilitiesImported
  | ComponentsListed
  | AttestationReported
  | FindingsListed;

/** The known vulnerabilities, the components of SBOMs that have them, and the findings of scanners. Other views know where these components run. */
export const vulnerabilitiesView: View = {
  name: 'vulnerabilities',
  version: 7,
  collections: vulnerabilityCollections,
  kinds: new Set(['vulnerabilities', 'trail']),
  types: new Set<FollowedEvent['type']>([
    'VulnerabilitiesListed',
    'VexStatementsListed',
    'VulnerabilitiesImported',
    'ComponentsListed',
    'AttestationReported',
    'FindingsListed',
  ]),
  slow: true,
  take: (documents, recorded) => follow(documents, recorded as readonly RecordedEvent<FollowedEvent>[]),
};

interface Entry {
  readonly row: EntryRow;
  readonly affected: readonly ListedPackage[];
}

/** The changes of one call of `follow`, by document id. */
interface Changes extends ScanChanges {
  readonly entries: Map<string, Entry>;
  readonly purls: Map<string, { readonly row: PurlRow; readonly read: Purl }>;
  readonly statements: Map<string, StatementRow>;
  readonly imports: Map<string, ImportRow>;
}

/**
 * Takes events into the view. It is idempotent and commutative: the newest version of an entry stays, and each side of a join (packages of entries,
 * components) writes its own rows first and then reads the rows of the other side.
 */
export async function follow(
  documents: Documents,
  recordedEvents: readonly RecordedEvent<FollowedEvent>[],
): Promise<void> {
  const changes: Changes = {
    entries: new Map(),
    purls: new Map(),
    statements: new Map(),
    imports: new Map(),
    scans: new Map(),
    uses: new Map(),
    parts: new Map(),
    findingNames: new Map(),
  };
  const slices = new Slices();
  for (const { event, meta } of recordedEvents) {
    switch (event.type) {
      case 'VulnerabilitiesListed':
        await collectEntries(changes, event, meta, slices);
        break;
      case 'VexStatementsListed':
        await collectStatements(changes, event, meta, slices);
        break;
      case 'VulnerabilitiesImported': {
        const { org, seq, at, actor } = meta;
        if ((changes.imports.get(org)?.seq ?? 0) < seq)
          changes.imports.set(org, { ...event.data, org, seq, at, by: actor });
        break;
      }
      case 'ComponentsListed':
        await collectPurls(changes, event, meta, slices);
        break;
      case 'AttestationReported':
        collectScan(changes, event, meta);
        break;
      case 'FindingsListed':
        await collectFindings(changes, event, meta, slices);
    }
  }
  await newest(documents.collection(statementRows), changes.statements, (a, b) => a.seq - b.seq);
  await writeEntries(documents, changes.entries, slices);
  await writePurls(documents, changes.purls, slices);
  await newest(documents.collection(importRows), changes.imports, (a, b) => a.seq - b.seq);
  await writeScans(documents, changes);
}

async function collectEntries(
  { entries }: Changes,
  { data }: VulnerabilitiesListed,
  { org }: EventMeta,
  slices: Slices,
): Promise<void> {
  for (const listed of data.vulnerabilities) {
    await slices.pause();
    const id = rowId(org, sha256(listed.id));
    const version = versionOf(listed);
    if ((entries.get(id)?.row.version ?? '') >= version) continue;
    const { affected, ...rest } = listed;
    entries.set(id, { row: { org, version, ...rest }, affected });
  }
}

async function collectStatements(
  { statements }: Changes,
  { data }: VexStatementsListed,
  { org, seq }: EventMeta,
  slices: Slices,
): Promise<void> {
  for (const statement of data.statements) {
    await slices.pause();
    const digest = sha256(canonicalJson(statement));
    for (const name of removeDuplicates([statement.vulnerability, ...statement.aliases].map(nameDigest))) {
      const id = rowId(org, name, digest);
      if ((statements.get(id)?.seq ?? 0) < seq) statements.set(id, { org, name, statement, seq });
    }
  }
}

async function collectPurls({ purls }: Changes, { data }: ComponentsListed, { org }: EventMeta, slices: Slices) {
  for (const { purl } of data.components) {
    await slices.pause();
    const read = purl === null ? null : readPurl(purl);
    if (purl === null || read === null) continue;
    for (const key of keysOfComponent(read).map(sha256)) {
      purls.set(rowId(org, key, sha256(purl)), { row: { org, key, purl, matched: false }, read });
    }
  }
}

async function writeEntries(documents: Documents, newEntries: Changes['entries'], slices: Slices): Promise<void> {
  const entries = documents.collection(entryRows);
  const before = await getAll(entries, [...newEntries.keys()]);
  // An entry is written after everything that belongs to it, so an existing entry is complete.
  const changedEntries = [...newEntries].filter(([id, { row }]) => (before.get(id)?.version ?? '') < row.version);
  for (const group of batches(changedEntries)) {
    const names = new Map<string, NameRow>();
    const packages = new Map<string, PackageRow>();
    for (const [, { row, affected }] of group) {
      await slices.pause();
      const [{ org, version }, entry] = [row, sha256(row.id)];
      for (const name of removeDuplicates([row.id, ...row.aliases, ...(row.related ?? [])].map(nameDigest))) {
        names.set(rowId(org, name, entry), { org, name, entry });
      }
      if (row.withdrawn !== null) continue;
      const packagesByKey = affected.flatMap((one) => keysOfPackage(one).map((key) => ({ key: sha256(key), one })));
      for (const [key, own] of groupBy(packagesByKey, (each) => each.key)) {
        const severity = rankOf(row.severity);
        packages.set(rowId(org, key, entry), {
          org,
          key,
          entry,
          version,
          severity,
          affected: own.map(({ one }) => one),
        });
      }
    }
    await putRows(documents.collection(nameRows), names);
    await newest(documents.collection(packageRows), packages, byVersion);
    await matchPackages(documents, [...packages.values()], slices);
    await newest(entries, new Map(group.map(([id, { row }]) => [id, row])), byVersion);
    await forgetOlder(
      documents,
      group.map(([, { row }]) => row).filter(({ org, id }) => before.has(rowId(org, sha256(id)))),
    );
  }
}

/** Compares packages with the existing components. */
async function matchPackages(documents: Documents, packages: readonly PackageRow[], slices: Slices): Promise<void> {
  for (const [org, own] of groupBy(packages, (row) => row.org)) {
    const byKey = groupBy(own, ({ key }) => key);
    const pages = pagesAmong(documents.collection(purlRows), { org }, 'key', byKey.keys(), PURLS_PAGE, KEYS_TOGETHER);
    for await (const page of pages) {
      const matches = new Map<string, MatchRow>();
      for (const { doc } of page) {
        const read = readPurl(doc.purl);
        if (read === null) continue;
        for (const row of byKey.get(doc.key) ?? []) await addMatch(matches, row, read, slices);
      }
      await putMatches(documents, matches);
    }
  }
}

async function writePurls(documents: Documents, newPurls: Changes['purls'], slices: Slices): Promise<void> {
  const collection = documents.collection(purlRows);
  const before = await getAll(collection, [...newPurls.keys()]);
  const newPurlRows = [...newPurls].filter(([id]) => before.get(id)?.matched !== true);
  for (const group of batches(newPurlRows)) {
    await putRows(collection, new Map(group.map(([id, { row }]) => [id, row])));
    for (const [org, own] of groupBy(group, ([, { row }]) => row.org)) {
      const byKey = groupBy(own, ([, { row }]) => row.key);
      const packages = documents.collection(packageRows);
      for await (const page of pagesAmong(packages, { org }, 'key', byKey.keys(), PACKAGES_PAGE, KEYS_TOGETHER)) {
        const matches = new Map<string, MatchRow>();
        for (const { doc } of page) {
          for (const [, { read }] of byKey.get(doc.key) ?? []) await addMatch(matches, doc, read, slices);
        }
        await putMatches(documents, matches);
      }
    }
    await putRows(collection, new Map(group.map(([id, { row }]) => [id, { ...row, matched: true }])));
  }
}

/** A package of an entry that is prepared for comparison with many components. */
interface ReadyPackage {
  readonly affects: Awaited<ReturnType<typeof affectedComponents>>;
  readonly fixedIn: readonly string[];
}

const readyPackages = new WeakMap<PackageRow, ReadyPackage>();

async function readyPackage(row: PackageRow, slices: Slices): Promise<ReadyPackage> {
  const cachedPackage = readyPackages.get(row);
  if (cachedPackage !== undefined) return cachedPackage;
  const { affected } = row;
  const ranges = affected.flatMap((one) => one.ranges).filter(({ type }) => type !== 'GIT');
  const fixed = ranges.flatMap(({ events }) => events.filter(({ kind }) => kind === 'fixed'));
  const versions = fixed.map(({ version }) => version).filter((version) => version.length <= VERSION_MAX);
  const affects = await affectedComponents({ withdrawn: null, affected }, () => slices.pause());
  const ready = { affects, fixedIn: fixedVersions(versions) };
  readyPackages.set(row, ready);
  return ready;
}

async function addMatch(
  matches: Map<string, MatchRow>,
  row: PackageRow,
  component: Purl,
  slices: Slices,
): Promise<void> {
  await slices.pause();
  const { affects, fixedIn } = await readyPackage(row, slices);
  const answer = await affects(component);
  if (answer === 'no') return;
  const { org, entry, version, severity } = row;
  const purl = component.text;
  const id = rowId(org, entry, sha256(purl));
  const match = { org, entry, purl, version, certain: answer === 'yes', severity, fixedIn };
  matches.set(id, mergeMatches(matches.get(id) ?? null, match));
}

async function putMatches(documents: Documents, matches: ReadonlyMap<string, MatchRow>): Promise<void> {
  for (const ids of batches([...matches.keys()])) {
    await documents.collection(matchRows).merge(ids, (current, id) => {
      const row = matches.get(id);
      return row === undefined ? undefined : mergeMatches(current, row);
    });
  }
  const entries = new Map<string, MatchedEntry>();
  for (const { org, entry, version, severity } of matches.values()) {
    const id = rowId(org, entry);
    if ((entries.get(id)?.version ?? '') < version) entries.set(id, { org, entry, version, severity });
  }
  await newest(documents.collection(matchedEntries), entries, byVersion);
}

/** Merges two matches. The newer version wins. Several keys may match one version: then the result combines what they say. */
function mergeMatches(current: MatchRow | null, row: MatchRow): MatchRow {
  if (current === null || current.version < row.version) return row;
  if (current.version > row.version) return current;
  const fixedIn = fixedVersions([...current.fixedIn, ...row.fixedIn]);
  return { ...current, certain: current.certain || row.certain, fixedIn };
}

/** Removes duplicates and sorts, so that the result does not depend on the order of arrival. */
function fixedVersions(versions: readonly string[]): readonly string[] {
  return removeDuplicates(versions).sort().slice(0, FIXED_MAX);
}

/** Removes the matches of older versions of entries. Matches that are written late no longer count. */
async function forgetOlder(documents: Documents, entries: readonly EntryRow[]): Promise<void> {
  const collection = documents.collection(matchRows);
  for (const [org, own] of groupBy(entries, (row) => row.org)) {
    const versions = new Map(own.map(({ id, version }) => [sha256(id), version]));
    for (const group of pieces([...versions.keys()], KEYS_TOGETHER)) {
      const where = { org, entry: { in: group } };
      // Read a page at a time, because one entry may match any number of components. The next page skips the rows that stay.
      for (let [skip, isLeft] = [0, true]; isLeft;) {
        const page = await collection.find({ where, skip, limit: PURLS_PAGE });
        const older = page.filter(({ doc }) => doc.version < (versions.get(doc.entry) ?? ''));
        for (const rows of batches(older)) await collection.write(rows.map(({ id }) => ({ kind: 'forget', id })));
        skip += page.length - older.length;
        isLeft = page.length === PURLS_PAGE;
      }
    }
  }
}

const byVersion = (a: { readonly version: string }, b: { readonly version: string }) =>
  a.version < b.version ? -1 : a.version > b.version ? 1 : 0;

/** Writes rows unless newer ones are there. */
async function newest<Row extends object>(
  collection: Collection<Row>,
  rows: ReadonlyMap<string, Row>,
  order: (a: Row, b: Row) => number,
): Promise<void> {
  for (const ids of batches([...rows.keys()])) {
    await collection.merge(ids, (current, id) => {
      const row = rows.get(id);
      return row === undefined || (current !== null && order(current, row) >= 0) ? undefined : row;
    });
  }
}
