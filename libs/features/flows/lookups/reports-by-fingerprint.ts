import { orderBy } from '@assurance/contracts/events/aggregate';
import { groupBy, pieces, Slices } from '@assurance/kernel';
import type { Condition, Documents } from '@assurance/storage-ports';
import { type ProvenanceDocument, provenances } from '../domain/provenance';

/** The most reports of a fingerprint that are read, oldest first. There is one for each flow and trail. */
export const REPORTS_MAX = 1_000;
/** How many fingerprints are looked up together. */
const TOGETHER = 64;

/**
 * Reads the reports of fingerprints, oldest first. It uses one read for many fingerprints, and single reads only if they have too many reports.
 *
 * @returns by fingerprint; fingerprints without a report are left out
 */
export async function reportsByFingerprint(
  documents: Documents,
  org: string,
  fingerprints: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly ProvenanceDocument[]>> {
  const reports: ProvenanceDocument[] = [];
  const slices = new Slices();
  for (const group of pieces([...fingerprints], TOGETHER)) {
    await slices.pause();
    const page = await reportsOf(documents, org, { in: group });
    const all =
      page.length < REPORTS_MAX
        ? page
        : (await Promise.all(group.map((fingerprint) => reportsOf(documents, org, fingerprint)))).flat();
    for (const report of all) reports.push(report);
  }
  return groupBy(reports, ({ fingerprint }) => fingerprint);
}

async function reportsOf(documents: Documents, org: string, fingerprint: Condition): Promise<ProvenanceDocument[]> {
  const results = await documents.collection(provenances).find({
    where: { org, fingerprint },
    order: orderBy('first.reportedAt', 'first.artifactId'),
    limit: REPORTS_MAX,
  });
  return results.map(({ doc }) => doc);
}
