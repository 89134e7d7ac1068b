import type { Documents } from '@assurance/storage-ports';
import { batches } from '../batches';
import { firstOf } from './fold';
import { type Origin, type ReportRow, reports } from './rows';

const PIECE = 1_000;

/** The first report of a fingerprint; null when there is none. */
export async function firstReport(documents: Documents, org: string, fingerprint: string): Promise<Origin | null> {
  const [first] = await documents.collection<ReportRow>(reports).find({
    where: { org, fingerprint },
    order: [
      ['origin.reportedAt', 'asc'],
      ['origin.artifactId', 'asc'],
    ],
    limit: 1,
  });
  return first?.doc.origin ?? null;
}

/** The first report of each fingerprint that has one, by fingerprint. */
export async function firstReports(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, Origin>> {
  const firsts = new Map<string, Origin>();
  for await (const { fingerprint, origin } of allReports(documents, org, fingerprints)) {
    firsts.set(fingerprint, firstOf(firsts.get(fingerprint) ?? null, origin) ?? origin);
  }
  return firsts;
}

/** Ids of all repositories from which each fingerprint was ever reported, by fingerprint. */
export async function reposOf(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const repos = new Map<string, Set<string>>();
  for await (const { fingerprint, origin } of allReports(documents, org, fingerprints)) {
    if (origin.repo === null) continue;
    const known = repos.get(fingerprint);
    if (known === undefined) repos.set(fingerprint, new Set([origin.repo.id]));
    else known.add(origin.repo.id);
  }
  return repos;
}

async function* allReports(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): AsyncGenerator<ReportRow> {
  for (const some of batches(fingerprints)) {
    for (let skip = 0; ; skip += PIECE) {
      // Reports come and never go: one that comes meanwhile may show another one twice, and hides none.
      const where = { org, fingerprint: { in: some } };
      const found = await documents.collection<ReportRow>(reports).find({ where, skip, limit: PIECE });
      for (const { doc } of found) yield doc;
      if (found.length < PIECE) break;
    }
  }
}
