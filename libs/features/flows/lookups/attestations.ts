import { orderBy } from '@assurance/contracts/events/aggregate';
import { grouped, pieces } from '@assurance/kernel';
import type { Collection, Documents, StoredDocument, Query } from '@assurance/storage-ports';
import { type AttestationDocument, newestAttestations, subjectsOf, TRAIL_SUBJECT } from '../domain/attestation';
import type { ProvenanceDocument } from '../domain/provenance';

/** How many streams, and how many subjects, one read contains. */
const TOGETHER = 100;
/** How many results a read gives at most. */
const PIECE = 1_000;

/** The newest attestations of some trails, by the trail's stream. */
export async function readAttestations(
  documents: Documents,
  trails: readonly string[],
): Promise<ReadonlyMap<string, readonly AttestationDocument[]>> {
  const attestations: AttestationDocument[] = [];
  for (const some of pieces([...new Set(trails)], TOGETHER)) {
    attestations.push(
      ...(await readAllResults(documents.collection(newestAttestations), {
        where: { stream: { in: some } },
        order: orderBy('subject', '-at', '-id'),
      })),
    );
  }
  return grouped(attestations, ({ stream }) => stream);
}

/**
 * The newest attestations on artifacts and on the trails that reported them.
 *
 * @returns of one report: those of its trail and its own
 */
export async function readAttestationsOfReports(
  documents: Documents,
  reports: readonly ProvenanceDocument[],
): Promise<(report: ProvenanceDocument) => readonly AttestationDocument[]> {
  const results = new Map<string, AttestationDocument[]>();
  for (const some of pieces(reports, TOGETHER)) {
    const attested = await readAllResults(documents.collection(newestAttestations), {
      where: {
        stream: { in: [...new Set(some.map(({ stream }) => stream))] },
        subject: { in: [...new Set([TRAIL_SUBJECT, ...some.flatMap(subjectsOfReport)])] },
      },
      order: orderBy('-at', '-id'),
    });
    for (const [key, list] of grouped(attested, keyOf)) results.set(key, list);
  }
  return (report) =>
    [TRAIL_SUBJECT, ...subjectsOfReport(report)].flatMap(
      (subject) => results.get(keyOf({ stream: report.stream, subject })) ?? [],
    );
}

function subjectsOfReport({ fingerprint, first }: ProvenanceDocument): readonly string[] {
  return subjectsOf({ fingerprint, template: first.template, gitCommit: first.gitCommit });
}

function keyOf({ stream, subject }: Pick<AttestationDocument, 'stream' | 'subject'>): string {
  return `${stream}\n${subject}`;
}

/** Reads all results of a query in bounded pages. The writer of the documents bounds their number. */
async function readAllResults<T extends object>(
  collection: Collection<T>,
  query: Omit<Query, 'skip' | 'limit'>,
): Promise<T[]> {
  const results: StoredDocument<T>[] = [];
  for (;;) {
    const piece = await collection.find({ ...query, skip: results.length, limit: PIECE });
    results.push(...piece);
    if (piece.length < PIECE) return results.map(({ doc }) => doc);
  }
}
