import { orderBy } from '@assurance/contracts/events/aggregate';
import type { Documents } from '@assurance/storage-ports';
import { attestations, subjectsOfReport } from '../../domain/attestation';
import type { ProvenanceDocument } from '../../domain/provenance';
import type { HistoryEntry } from './runs';

/** The most attestations in an answer. It contains the newest ones. */
const ATTESTED_MAX = 100;

/**
 * Returns the attestations of an artifact in the trail that reported it, oldest first. They name its fingerprint, or its template name and commit.
 */
export async function attestationHistory(
  documents: Documents,
  report: ProvenanceDocument,
): Promise<readonly HistoryEntry[]> {
  const results = await Promise.all(
    subjectsOfReport(report).map((subject) =>
      documents.collection(attestations).find({
        where: { stream: report.stream, subject },
        order: orderBy('-at', '-id'),
        limit: ATTESTED_MAX,
      }),
    ),
  );
  return results
    .flat()
    .sort((a, b) => a.doc.at - b.doc.at || (a.id < b.id ? -1 : 1))
    .slice(-ATTESTED_MAX)
    .map(({ doc: { type, name, at } }) => ({ event: `${type} attestation '${name}' reported`, at }));
}
