import { orderBy } from '@assurance/contracts/events/aggregate';
import type { Documents } from '@assurance/storage-ports';
import { attestations, subjectsOf } from '../../domain/attestation';
import type { ProvenanceDocument } from '../../domain/provenance';
import type { HistoryEntry } from './runs';

/** The limit of attestations in an answer, which has the newest. */
const ATTESTED_MAX = 100;

/** The attestations of an artifact in the trail that reported it, by its fingerprint or by its template name and commit, oldest first. */
export async function attestationHistory(
  documents: Documents,
  { stream, fingerprint, first }: ProvenanceDocument,
): Promise<readonly HistoryEntry[]> {
  const { template, gitCommit } = first;
  const results = await Promise.all(
    subjectsOf({ fingerprint, template, gitCommit }).map((subject) =>
      documents.collection(attestations).find({
        where: { stream, subject },
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
