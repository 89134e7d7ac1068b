import { componentsView } from '@assurance/components/read/components/follow';
import { readParts } from '@assurance/components/read/components/parts';
import { partUses, sbomRows } from '@assurance/components/read/components/rows';
import { type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import type { Caller } from '@assurance/http/query-caller';
import { getOrInsert, pieces, Slices } from '@assurance/kernel';
import { type Documents, findPages, pagesAmong } from '@assurance/storage-ports';
import { Injectable } from '@nestjs/common';
import { AliasGroups, namedBy } from '../domain/aliases';
import { rankOf } from '../domain/severity';
import { EXPOSURE_MAX } from './exposed-artifacts';
import { vulnerabilitiesView } from './vulnerabilities/follow';
import { entriesOf } from './vulnerabilities/reported-findings';
import {
  type EntryRow,
  entryRows,
  findingParts,
  findingUses,
  type ImportRow,
  importRows,
  matchRows,
  packageRows,
  rowId,
  scanRows,
} from './vulnerabilities/rows';
import { artifactsOfScans } from './vulnerabilities/scanned';

const PAGE = 1_000;
/** How many component parts, finding parts, lists, and package URLs are looked up together. */
const PARTS_TOGETHER = 256;
const FINDINGS_TOGETHER = 32;
const LISTS_TOGETHER = 50;
const PURLS_TOGETHER = 200;

/** Days as bits, by the item that was there on them. */
type Days = Map<string, bigint>;
type ReadDays = ReadonlyMap<string, bigint>;

/** The days on which artifacts had vulnerabilities. */
export interface ExposedVulnerabilities {
  /** The days of each vulnerability, and its worst severity as `rankOf` returns it. */
  readonly marks: Iterable<VulnerabilityMark>;
  readonly lastImport: ImportRow | null;
}

interface VulnerabilityMark {
  days: bigint;
  rank: number;
}

/**
 * Finds the vulnerabilities of some artifacts, from their component lists and from scanner reports. It keeps the days of each part and of each
 * vulnerability. It holds components and findings in memory only while it reads a part of them.
 */
@Injectable()
export class VulnerabilitiesOnDays {
  constructor(private readonly views: Views) {}

  /** @param artifacts days by fingerprint @returns `too-many` beyond 250,000 parts of component lists */
  async of(caller: Caller, artifacts: ReadDays): Promise<ViewAnswer<ExposedVulnerabilities> | 'too-many'> {
    const org = caller.org.id;
    const parts = await this.views.read(componentsView, caller, (documents) => markParts(documents, org, artifacts));
    const { value } = parts;
    if (value === 'too-many') return value;
    const names = new NameMarks();
    let behind = parts.behind;
    const result = await this.views.read(vulnerabilitiesView, caller, async (documents) => {
      const last = await documents.collection(importRows).get(org);
      const [first] = await documents.collection(packageRows).find({ where: { org }, limit: 1 });
      // Without entries, no component can match one.
      if (first !== undefined) behind = Math.max(behind, await this.markMatches(caller, documents, value, names));
      behind = Math.max(behind, await this.markFindings(caller, documents, artifacts, names));
      return last;
    });
    const marks = await names.grouped();
    return { value: { marks, lastImport: result.value }, behind: Math.max(behind, result.behind) };
  }

  /** Marks the entries that match components. */
  private async markMatches(caller: Caller, documents: Documents, parts: ReadDays, names: NameMarks): Promise<number> {
    const org = caller.org.id;
    const [matched, slices] = [new Map<string, Days>(), new Slices()];
    let behind = 0;
    for (const some of pieces([...parts], PARTS_TOGETHER)) {
      const days = new Map(some);
      const listed = await this.views.read(componentsView, caller, (view) => markPurls(view, org, days));
      behind = Math.max(behind, listed.behind);
      const matches = documents.collection(matchRows);
      for await (const page of pagesAmong(matches, { org }, 'purl', listed.value.keys(), PAGE, PURLS_TOGETHER)) {
        for (const { doc } of page) {
          await slices.pause();
          const versions = getOrInsert(matched, doc.entry, () => new Map<string, bigint>());
          mark(versions, doc.version, listed.value.get(doc.purl) ?? 0n);
        }
      }
    }
    for (const some of pieces([...matched], PAGE)) {
      const entries = await documents.collection(entryRows).getMany(some.map(([entry]) => rowId(org, entry)));
      for (const [entry, versions] of some) {
        await slices.pause();
        const row = entries.get(rowId(org, entry));
        if (row === undefined) continue;
        // A match of an older version no longer counts.
        const counted = [...versions].filter(([version]) => version >= row.version);
        if (counted.length > 0) names.addEntry(row, union(counted.map(([, days]) => days)));
      }
    }
    return behind;
  }

  /** Marks the findings of scanners in artifacts, and the entries that share a name with them. */
  private async markFindings(
    caller: Caller,
    documents: Documents,
    artifacts: ReadDays,
    names: NameMarks,
  ): Promise<number> {
    const org = caller.org.id;
    const [scans, slices] = [new Map<string, bigint>(), new Slices()];
    let behind = 0;
    for await (const page of findPages(documents.collection(scanRows), { where: { org } }, PAGE)) {
      const reports = page.map(({ doc }) => doc).filter(({ listed }) => listed > 0);
      const subjects = await this.views.read(componentsView, caller, (view) =>
        artifactsOfScans(view, [{ findings: [{ scans: reports }] }]),
      );
      behind = Math.max(behind, subjects.behind);
      for (const [scan, fingerprints] of subjects.value) {
        await slices.pause();
        mark(scans, scan, union(fingerprints.map((fingerprint) => artifacts.get(fingerprint) ?? 0n)));
      }
    }
    const parts: Days = new Map();
    const pages = pagesAmong(documents.collection(findingUses), { org }, 'scan', scans.keys(), PAGE, LISTS_TOGETHER);
    for await (const page of pages) {
      for (const { doc } of page) mark(parts, doc.part, scans.get(doc.scan) ?? 0n);
    }
    for (const some of pieces([...parts], FINDINGS_TOGETHER)) {
      const read = await documents.collection(findingParts).getMany(some.map(([part]) => rowId(org, part)));
      for (const [part, days] of some) {
        const findings = read.get(rowId(org, part))?.findings ?? [];
        for (const finding of findings) {
          await slices.pause();
          names.add(finding, rankOf(finding.severity), days);
        }
        for await (const [, entry] of entriesOf(documents, org, findings)) names.addEntry(entry, 0n);
      }
    }
    return behind;
  }
}

/** Collects days and severities by the names of vulnerabilities. */
class NameMarks {
  private readonly groups = new AliasGroups();
  private readonly marks = new Map<string, VulnerabilityMark>();

  add(entry: Pick<EntryRow, 'id' | 'aliases'>, rank: number, days: bigint): void {
    this.groups.add(entry);
    for (const { id } of namedBy(entry)) {
      const own = this.marks.get(id) ?? { days: 0n, rank: 0 };
      own.days |= days;
      own.rank = Math.max(own.rank, rank);
      this.marks.set(id, own);
    }
  }

  /** Adds an entry. A withdrawn entry has no days or severity, but its names still connect the names of one vulnerability. */
  addEntry(entry: EntryRow, days: bigint): void {
    if (entry.withdrawn === null) this.add(entry, rankOf(entry.severity), days);
    else this.groups.add(entry);
  }

  async grouped(): Promise<Iterable<VulnerabilityMark>> {
    const [byRoot, slices] = [new Map<string, VulnerabilityMark>(), new Slices()];
    for (const [id, { days, rank }] of this.marks) {
      await slices.pause();
      const root = this.groups.rootOf(id);
      const own = byRoot.get(root) ?? { days: 0n, rank: 0 };
      own.days |= days;
      own.rank = Math.max(own.rank, rank);
      byRoot.set(root, own);
    }
    return byRoot.values();
  }
}

/** Returns the days of the parts of component lists, or `too-many` beyond the limit. */
async function markParts(documents: Documents, org: string, artifacts: ReadDays): Promise<ReadDays | 'too-many'> {
  const parts: Days = new Map();
  for (const fingerprints of pieces([...artifacts.keys()], PAGE)) {
    const sboms: Days = new Map();
    const where = { org, fingerprint: { in: fingerprints } };
    for await (const page of findPages(documents.collection(sbomRows), { where }, PAGE)) {
      for (const { doc } of page) mark(sboms, doc.sbom, artifacts.get(doc.fingerprint) ?? 0n);
    }
    const uses = documents.collection(partUses);
    for await (const page of pagesAmong(uses, { org }, 'sbom', sboms.keys(), PAGE, LISTS_TOGETHER)) {
      for (const { doc } of page) mark(parts, doc.part, sboms.get(doc.sbom) ?? 0n);
      if (parts.size > EXPOSURE_MAX.parts) return 'too-many';
    }
  }
  return parts;
}

/** Returns the days of the package URLs that parts list. */
async function markPurls(documents: Documents, org: string, parts: ReadDays): Promise<ReadDays> {
  const [purls, slices]: [Days, Slices] = [new Map(), new Slices()];
  for await (const [part, components] of readParts(documents, org, parts.keys())) {
    for (const { purl } of components) {
      await slices.pause();
      if (purl !== null) mark(purls, purl, parts.get(part) ?? 0n);
    }
  }
  return purls;
}

/** Adds days to an item. It changes nothing if there are no days. */
function mark(all: Days, key: string, days: bigint): void {
  if (days === 0n) return;
  const before = all.get(key);
  if (before === undefined) all.set(key, days);
  else if ((before | days) !== before) all.set(key, before | days);
}

const union = (all: readonly bigint[]): bigint => all.reduce((days, own) => days | own, 0n);
