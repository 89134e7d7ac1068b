import type { ListedFinding } from '@assurance/contracts/evidence/events';
import { readPurl } from '@assurance/evidence/domain/purl';
import { type ScanFormat, scanFormatOf } from '@assurance/evidence/domain/scan-format';
import { beginningOf, canonicalJson, compareTexts, contentParts, type PartBounds } from '@assurance/kernel';
import { type Finding, readGrype, readSarif, type ReadScan, readSnyk, readSnykResults, readTrivy } from './findings';
import { rankOf } from './severity';

/** The most distinct findings of a report that are recorded: the worst ones. The others are counted. */
export const FINDINGS_RECORDED_MAX = 5_000;
/** At how many the less bad ones are dropped. */
const KEPT_MAX = 10 * FINDINGS_RECORDED_MAX;
/** The most characters of a title, a package name, a version, and a scanner name. Longer texts are cut. */
const TEXT_MAX = 512;
/** The most characters of a vulnerability name. A finding or an alias with a longer name is left out. */
const NAME_MAX = 256;
/** The most aliases of a finding, and the most versions that fix it. */
const ALIASES_MAX = 50;
const FIXED_MAX = 20;
/** Limits of a part. A view keeps each part in one document. */
const PARTS: PartBounds = { mean: 64, items: 256, bytes: 256 * 1024 };

/** Findings in their recorded form. */
interface RecordedFindings {
  readonly parts: readonly (readonly ListedFinding[])[];
  /** How many findings are left out, because their name is too long or because there are too many. */
  readonly left: number;
}

/** The report of a scanner, and the result of reading it. */
interface ScanReport {
  readonly format: ScanFormat;
  readonly read: ReadScan;
}

const READERS: Readonly<Record<ScanFormat, (document: unknown) => ReadScan>> = {
  'snyk-results': readSnykResults,
  snyk: readSnyk,
  trivy: readTrivy,
  grype: readGrype,
  sarif: readSarif,
};

/** Reads the report of a scanner. @returns null if the document is not such a report */
export function readReport(document: unknown): ScanReport | null {
  const format = scanFormatOf(document);
  return format === null ? null : { format, read: READERS[format](document) };
}

/**
 * Merges the findings of all reports of an attestation and drops duplicates. It keeps the 5,000 worst, sorted and divided into parts. Reports with
 * mostly the same findings share parts.
 */
export function recordedFindings(findings: readonly Finding[]): RecordedFindings {
  const worst = new WorstFindings();
  for (const finding of findings) for (const item of listedOf(finding)) worst.add(item);
  const { items, left } = worst.result();
  items.sort((a, b) => compareTexts(a.item.id, b.item.id) || compareTexts(a.json, b.json));
  return {
    parts: contentParts(items, PARTS),
    left,
  };
}

interface DistinctFinding {
  readonly json: string;
  readonly item: ListedFinding;
}

/** The worst distinct findings. One advisory may name many vulnerabilities, so the others are dropped as they come. */
class WorstFindings {
  private kept = new Map<string, DistinctFinding>();
  private left = 0;

  add(item: ListedFinding): void {
    if (item.id.length > NAME_MAX) {
      this.left += 1;
      return;
    }
    const json = canonicalJson(item);
    this.kept.set(json, { json, item });
    if (this.kept.size >= KEPT_MAX) this.drop();
  }

  result(): { readonly items: DistinctFinding[]; readonly left: number } {
    this.drop();
    return { items: [...this.kept.values()], left: this.left };
  }

  private drop(): void {
    if (this.kept.size <= FINDINGS_RECORDED_MAX) return;
    const all = [...this.kept.values()].sort(
      (a, b) => rankOf(b.item.severity) - rankOf(a.item.severity) || compareTexts(a.item.id, b.item.id),
    );
    this.left += all.length - FINDINGS_RECORDED_MAX;
    this.kept = new Map(all.slice(0, FINDINGS_RECORDED_MAX).map((finding) => [finding.json, finding]));
  }
}

/** Names of vendors' advisories, each of which may be about several vulnerabilities. */
const VENDOR_ADVISORY =
  /^(?:DSA|DLA|DTSA|USN|LSN|RHSA|RHBA|RHEA|ELSA|ELBA|ALSA|RLSA|CESA|ALAS2?|ALASKERNEL|SUSE-[A-Z]{2}|openSUSE-[A-Z]{2}|FEDORA|GLSA|ASA|AVG|MGASA|PHSA|CLSA)-/i;

/**
 * A finding by the names of its vulnerability. An alias is another name of one vulnerability: an advisory that mentions a vulnerability is none. What
 * names several CVEs, or is an advisory, is a finding of each CVE, so that nobody who accepts one of them accepts another.
 */
function listedOf({ aliases, title, package: about, fixedIn, ...finding }: Finding): ListedFinding[] {
  const id = nameOf(finding.id);
  const names = new Set(aliases.map(nameOf).filter((name) => name !== id && name.length <= NAME_MAX));
  const cves = [...names].filter((name) => CVE.test(name)).sort();
  const others = [...names].filter((name) => !CVE.test(name) && !VENDOR_ADVISORY.test(name));
  const advisories = [id, ...names].filter((name) => VENDOR_ADVISORY.test(name));
  const listed = (name: string, own: readonly string[]) => ({
    ...finding,
    id: name,
    aliases: [...own].sort().slice(0, ALIASES_MAX),
    ...relatedOf(advisories.filter((advisory) => advisory !== name)),
    title: truncate(title ?? ''),
    package: about === null ? null : packageOf(about),
    fixedIn: [...new Set(fixedIn.map(truncate))].slice(0, FIXED_MAX),
  });
  if (CVE.test(id)) return [listed(id, others)];
  if (cves.length > 1 || (cves.length > 0 && VENDOR_ADVISORY.test(id)))
    return cves.slice(0, ALIASES_MAX).map((cve) => listed(cve, []));
  return [listed(id, [...cves, ...others])];
}

function relatedOf(advisories: readonly string[]): Pick<ListedFinding, 'related'> {
  return advisories.length === 0 ? {} : { related: [...advisories].sort().slice(0, ALIASES_MAX) };
}

function packageOf({ name, version, purl }: NonNullable<Finding['package']>): ListedFinding['package'] {
  const read = purl === null ? null : readPurl(purl);
  const own = version === null ? (read?.version ?? null) : truncate(version);
  return { name: truncate(name), version: own, purl: read?.text ?? null };
}

const CVE = /^CVE-[0-9]{4}-[0-9]{4,}(?![0-9])/i;
const GHSA = /^GHSA((?:-[0-9a-z]{4}){3})(?![0-9a-z])/i;

/** Returns a vulnerability name as databases write it. Some scanners name a rule by the vulnerability and the package. */
function nameOf(name: string): string {
  const cve = CVE.exec(name)?.[0];
  if (cve !== undefined) return cve.toUpperCase();
  const ghsa = GHSA.exec(name)?.[1];
  return ghsa === undefined ? name : `GHSA${ghsa.toLowerCase()}`;
}

function truncate(text: string): string {
  return beginningOf(text.toWellFormed(), TEXT_MAX);
}
