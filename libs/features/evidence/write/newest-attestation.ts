import { orderBy } from '@assurance/contracts/events/aggregate';
import {
  type AttestationDocument,
  newestAttestationId,
  newestAttestations,
  subjectOf,
  subjectsOfReport,
} from '@assurance/flows/domain/attestation';
import { type ProvenanceDocument, provenances } from '@assurance/flows/domain/provenance';
import type { Documents } from '@assurance/storage-ports';
import type { RequestedTarget } from '../domain/attest';

/** The most artifacts of a trail that are searched for an awaited artifact. */
const ARTIFACTS_MAX = 1_000;

/** Returns the newest attestation of exactly this target and name in a trail. */
export function newestAttestation(
  documents: Documents,
  stream: string,
  target: RequestedTarget,
  name: string,
): Promise<AttestationDocument | null> {
  return documents.collection(newestAttestations).get(newestAttestationId(stream, subjectOf(target), name));
}

/**
 * Returns the newest attestation of a name that an override replaces: an attestation on the trail, or on the artifact. The artifact may be named by
 * its fingerprint, or by its template name and commit.
 */
export async function overriddenAttestation(
  documents: Documents,
  stream: string,
  query: { readonly target: RequestedTarget; readonly artifact: ProvenanceDocument | null; readonly name: string },
): Promise<AttestationDocument | null> {
  const subjects = await findSubjects(documents, stream, query);
  const results = await documents
    .collection(newestAttestations)
    .getMany(subjects.map((subject) => newestAttestationId(stream, subject, query.name)));
  const [newest = null] = [...results.values()].sort((a, b) => b.seq - a.seq);
  return newest;
}

async function findSubjects(
  documents: Documents,
  stream: string,
  { target, artifact }: { readonly target: RequestedTarget; readonly artifact: ProvenanceDocument | null },
): Promise<readonly string[]> {
  if (target.kind !== 'awaited') return artifact === null ? [subjectOf(target)] : subjectsOfReport(artifact);
  const reported = await documents.collection(provenances).find({
    where: { stream },
    order: orderBy('-first.reportedAt'),
    limit: ARTIFACTS_MAX,
  });
  const matching = reported.filter(
    ({ doc: { first } }) => first.template === target.template && first.gitCommit === target.commit,
  );
  return [...new Set([subjectOf(target), ...matching.flatMap(({ doc }) => subjectsOfReport(doc))])];
}
