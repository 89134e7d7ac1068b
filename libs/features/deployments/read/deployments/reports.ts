import type { Provenance } from '@assurance/contracts/flows/events';
import { batches, removeDuplicates } from '@assurance/event-sourcing/projection/batches';
import { documentMemory } from '@assurance/event-sourcing/projection/document-memory';
import { getOrInsert, Slices } from '@assurance/kernel';
import { type Documents, findPages } from '@assurance/storage-ports';
import { joinedRepoResolver } from './joined';
import { firstOf, type Origin, originOf } from './origin';
import { type DeploymentRow, reportId, type ReportRow, reports } from './rows';

const PIECE = 1_000;

/** All reports of a fingerprint. */
export interface FingerprintReports {
  readonly first: Origin;
  /** Ids of all repositories that reported it. */
  readonly repos: ReadonlySet<string>;
}

/** A cache of the first report, by organization and fingerprint. */
const firstReports = documentMemory<{ readonly first: Origin | null }>();

/** Returns the reports of each fingerprint that has any. */
export async function readReports(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, FingerprintReports>> {
  const byFingerprint = new Map<string, { first: Origin; readonly repos: Set<string> }>();
  for await (const { fingerprint, origin } of allReports(documents, org, fingerprints)) {
    const first = originOf(origin);
    const existing = getOrInsert(byFingerprint, fingerprint, () => ({ first, repos: new Set<string>() }));
    existing.first = firstOf(existing.first, first) ?? first;
    if (origin.repo !== null) existing.repos.add(origin.repo.id);
  }
  const repoIds = [...byFingerprint.values()].flatMap(({ repos }) => [...repos]);
  const current = await joinedRepoResolver(documents, repoIds);
  for (const candidate of byFingerprint.values()) {
    candidate.first = current(candidate.first);
    // Keep the repositories that listed it before, because their counts change too.
    if (candidate.first.repo !== null) candidate.repos.add(candidate.first.repo.id);
  }
  const memory = firstReports(documents.collection<ReportRow>(reports));
  for (const fingerprint of fingerprints) {
    const first = byFingerprint.get(fingerprint)?.first ?? null;
    const key = `${org}/${fingerprint}`;
    const cachedReport = memory.get(key);
    if (cachedReport === undefined || !isSameOrigin(cachedReport.first, first)) memory.set(key, { first });
  }
  return byFingerprint;
}

/**
 * Returns the first report of each fingerprint that has any, as this process last read it. An earlier report may have arrived since. It only reads
 * fingerprints that are not in the cache.
 */
export async function cachedFirsts(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, Pick<FingerprintReports, 'first'>>> {
  const memory = firstReports(documents.collection<ReportRow>(reports));
  const cachedReports = new Map<string, Pick<FingerprintReports, 'first'>>();
  const unknownFingerprints: string[] = [];
  for (const fingerprint of fingerprints) {
    const cachedReport = memory.get(`${org}/${fingerprint}`);
    if (cachedReport === undefined) unknownFingerprints.push(fingerprint);
    else if (cachedReport.first !== null) cachedReports.set(fingerprint, { first: cachedReport.first });
  }
  for (const [fingerprint, stated] of await readReports(documents, org, unknownFingerprints))
    cachedReports.set(fingerprint, stated);
  return cachedReports;
}

/** The first report of a fingerprint as this process last read it: null without a report, undefined if it is not in the cache. */
export function firstReportReader(
  documents: Documents,
  org: string,
): (fingerprint: string) => Origin | null | undefined {
  const memory = firstReports(documents.collection<ReportRow>(reports));
  return (fingerprint) => memory.get(`${org}/${fingerprint}`)?.first;
}

/** Whether two origins are the same report with the same repository. */
export function isSameOrigin(a: Origin | null, b: Origin | null): boolean {
  return a?.artifactId === b?.artifactId && a?.repo?.id === b?.repo?.id;
}

/** A row with its whole report. */
export type RowWithReport<Row> = Row & { readonly origin: Provenance | null };

/** Finds the reports of rows. If this process lost a report and has to process it again, the row has no report until then. */
export async function withReports(
  documents: Documents,
  rows: readonly Pick<DeploymentRow, 'fingerprint' | 'origin'>[],
): Promise<<Row extends Pick<DeploymentRow, 'fingerprint' | 'origin'>>(row: Row) => RowWithReport<Row>> {
  const idOf = ({ fingerprint, origin }: (typeof rows)[number]) => origin && reportId(fingerprint, origin);
  const ids = removeDuplicates(rows.flatMap((row) => idOf(row) ?? []));
  const results = await documents.collection<ReportRow>(reports).getMany(ids);
  const repos = [...results.values()].flatMap(({ origin }) => origin.repo?.id ?? []);
  const current = await joinedRepoResolver(documents, repos);
  return (row) => {
    const origin = results.get(idOf(row) ?? '')?.origin ?? null;
    return { ...row, origin: origin && current(origin) };
  };
}

async function* allReports(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): AsyncGenerator<ReportRow> {
  const slices = new Slices();
  for (const some of batches(fingerprints)) {
    await slices.pause();
    const where = { org, fingerprint: { in: some } };
    // Reports are added and never removed.
    for await (const page of findPages(documents.collection<ReportRow>(reports), { where }, PIECE)) {
      for (const { doc } of page) yield doc;
    }
  }
}
