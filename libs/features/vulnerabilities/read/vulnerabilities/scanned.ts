import { subjectId } from '@assurance/components/read/components/follow';
import { awaitedSubjects } from '@assurance/components/read/components/rows';
import type { ListedComponent, ListedFinding } from '@assurance/contracts/evidence/events';
import type { ComponentLocation } from '@assurance/components/read/components/parts';
import type { VulnerabilitySource } from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import type { Severity } from '@assurance/contracts/vulnerabilities/events';
import { readPurl } from '@assurance/evidence/domain/purl';
import { compareTexts, getOrInsert, Slices } from '@assurance/kernel';
import { type Documents, getAll } from '@assurance/storage-ports';
import { packageName } from '../../domain/package-url';
import { rankOf } from '../../domain/severity';
import type { ReportedFinding } from './reported-findings';
import type { Vulnerability } from './groups';
import type { ScanRow } from './rows';

/** The most sources in an answer. */
const SOURCES_SHOWN = 20;

/**
 * Returns the artifacts of the reports of some vulnerabilities: the artifact that a report is about, or the artifacts that it awaited.
 *
 * @param documents of the components view
 * @returns artifacts by the key of the report
 */
export async function artifactsOfScans(
  documents: Documents,
  all: readonly { readonly findings: readonly Pick<ReportedFinding, 'scans'>[] }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const scans = new Map(
    all.flatMap(({ findings }) => findings.flatMap((one) => one.scans)).map((one) => [one.scan, one]),
  );
  const subjects = new Map<string, string>();
  const artifacts = new Map<string, readonly string[]>();
  const slices = new Slices();
  for (const { scan, subject, fingerprint } of scans.values()) {
    await slices.pause();
    if (fingerprint === null) subjects.set(scan, subjectId(scan.slice(0, scan.lastIndexOf('#')), subject));
    else artifacts.set(scan, [fingerprint]);
  }
  const awaited = await getAll(documents.collection(awaitedSubjects), [...new Set(subjects.values())]);
  for (const [scan, subject] of subjects) artifacts.set(scan, awaited.get(subject)?.fingerprints ?? []);
  return artifacts;
}

/** A finding of a scanner, and its report. */
interface ScanFinding {
  readonly finding: ListedFinding;
  readonly scan: ScanRow;
}

/** An artifact with a component that has a vulnerability. */
export interface ExposedArtifact {
  readonly fingerprint: string;
  /** The package URL of the component; empty if a scanner names none. */
  readonly purl: string;
  /** Where an SBOM lists the component; null if only a scanner names it. */
  readonly place: ComponentLocation | null;
  readonly findings: readonly ScanFinding[];
}

interface ExposedRow extends ExposedArtifact {
  readonly findings: ScanFinding[];
}

/**
 * Returns the artifacts with a vulnerability, by fingerprint, and each of their components that has it.
 *
 * @param listed artifacts by the package URLs of their components
 * @param scanned artifacts by the keys of reports
 */
export async function exposedTo(
  { matches, findings }: Pick<Vulnerability, 'matches' | 'findings'>,
  listed: ReadonlyMap<string, readonly Pick<ExposedArtifact, 'fingerprint' | 'place'>[]>,
  scanned: ReadonlyMap<string, readonly string[]>,
): Promise<readonly ExposedArtifact[]> {
  const byArtifact = new Map<string, ArtifactRows>();
  const rowsOf = (fingerprint: string) => getOrInsert(byArtifact, fingerprint, () => new ArtifactRows());
  const slices = new Slices();
  for (const purl of matches.keys()) {
    for (const { fingerprint, place } of listed.get(purl) ?? []) {
      await slices.pause();
      rowsOf(fingerprint).add({ fingerprint, purl, place, findings: [] });
    }
  }
  // A finding that names no package counts for a component that an SBOM or another finding names, if there is one.
  const inOrder = findings.toSorted((a, b) => Number(a.finding.package === null) - Number(b.finding.package === null));
  for (const { finding, scans } of inOrder) {
    for (const scan of scans) {
      for (const fingerprint of scanned.get(scan.scan) ?? []) {
        await slices.pause();
        const rows = rowsOf(fingerprint);
        const row = rows.about(finding);
        if (row !== undefined) row.findings.push({ finding, scan });
        else rows.add({ fingerprint, purl: finding.package?.purl ?? '', place: null, findings: [{ finding, scan }] });
      }
    }
  }
  return [...byArtifact]
    .sort(([a], [b]) => compareTexts(a, b))
    .flatMap(([, rows]) => rows.all.sort((a, b) => compareTexts(a.purl, b.purl)));
}

/** The components of one artifact that have a vulnerability. It looks them up by the package of a finding, because a report may name thousands. */
class ArtifactRows {
  readonly all: ExposedRow[] = [];
  private readonly byPurl = new Map<string, ExposedRow>();
  private readonly byName = new Map<string, ExposedRow>();
  /** Rows without a package URL, and the position of each row. */
  private readonly unnamed = new Map<string, ExposedRow>();
  private readonly places = new Map<ExposedRow, number>();

  add(row: ExposedRow): void {
    this.places.set(row, this.all.length);
    this.all.push(row);
    const { purl, findings } = row;
    const read = purl === '' ? null : readPurl(purl);
    const own = read === null ? findings[0]?.finding.package : { name: packageName(read), version: read.version };
    const keys = [
      [this.byPurl, purl === '' ? null : purl],
      [this.byName, own ? nameKey(own) : null],
      [this.unnamed, purl === '' && own ? nameKey(own) : null],
    ] as const;
    // The first row with a key counts.
    for (const [rows, key] of keys) if (key !== null && !rows.has(key)) rows.set(key, row);
  }

  /** Returns the first row that a finding is about. */
  about({ package: about }: ListedFinding): ExposedRow | undefined {
    if (about === null) return this.all[0];
    if (about.purl === null) return this.byName.get(nameKey(about));
    const [withPurl, withoutPurl] = [this.byPurl.get(about.purl), this.unnamed.get(nameKey(about))];
    if (withPurl === undefined || withoutPurl === undefined) return withPurl ?? withoutPurl;
    return this.placeOf(withPurl) < this.placeOf(withoutPurl) ? withPurl : withoutPurl;
  }

  private placeOf(row: ExposedRow): number {
    return this.places.get(row) ?? Infinity;
  }
}

function nameKey({ name, version }: { readonly name: string; readonly version?: string | null }): string {
  return JSON.stringify([name, version ?? null]);
}

/** Returns the component that a scanner names, in the form of SBOM components. The name is empty if the scanner gives none. */
export function componentOf({ purl, findings }: ExposedArtifact): ListedComponent {
  const about = findings[0]?.finding.package;
  const { name = '', version = null } = about ?? {};
  return { purl: purl === '' ? null : purl, name, version, licences: [], sha256: null };
}

/** Returns the sources that report a vulnerability: database entries, then the newest scanner reports. At most 20. */
export function sourcesOf(entries: Vulnerability['entries'], findings: readonly ScanFinding[]): VulnerabilitySource[] {
  const databases = entries.map(({ id, severity, modified }): VulnerabilitySource => {
    const attestation = { attestation_id: null, attestation_name: null };
    return { kind: 'database', name: id, severity, at: modified / 1_000, ...attestation };
  });
  const worst = new Map<string, { readonly scan: ScanRow; readonly severity: Severity | null }>();
  for (const { scan, finding } of findings) {
    const before = worst.get(scan.scan);
    if (before === undefined || rankOf(before.severity) < rankOf(finding.severity)) {
      worst.set(scan.scan, { scan, severity: finding.severity });
    }
  }
  const reports = [...worst.values()].sort((a, b) => b.scan.at - a.scan.at || compareTexts(a.scan.id, b.scan.id));
  const scanners = reports.slice(0, SOURCES_SHOWN).map(({ scan, severity }): VulnerabilitySource => {
    const { id, name, tool, type, at } = scan;
    return {
      kind: 'scanner',
      name: tool || type,
      severity,
      at: at / 1_000,
      attestation_id: id,
      attestation_name: name,
    };
  });
  // Each kind gets a share, so that neither hides the other.
  const shown = databases.slice(0, Math.max(SOURCES_SHOWN / 2, SOURCES_SHOWN - scanners.length));
  return [...shown, ...scanners].slice(0, SOURCES_SHOWN);
}
