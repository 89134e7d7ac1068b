import { orderBy } from '@assurance/contracts/events/aggregate';
import { groupBy, pieces } from '@assurance/kernel';
import type { Collection, Documents, StoredDocument, Query } from '@assurance/storage-ports';
import { type AttestationDocument, newestAttestations, subjectsOfReport, TRAIL_SUBJECT } from '../domain/attestation';
import type { ProvenanceDocument } from '../domain/provenance';

/** How many streams, and how many subjects, one read looks up. */
const TOGETHER = 100;
/** The most results of one read. */
const PIECE = 1_000;

/** Returns the newest attestations of some trails, by the stream of the trail. */
export async function readAttestations(
  documents: Documents,
  trails: readonly string[],
): Promise<ReadonlyMap<string, readonly AttestationDocument[]>> {
  const attestations: AttestationDocument[] = [];
  for (const group of pieces([...new Set(trails)], TOGETHER)) {
    attestations.push(
      ...(await readAllResults(documents.collection(newestAttestations), {
        where: { stream: { in: group } },
        order: orderBy('subject', '-at', '-id'),
      })),
    );
  }
  return groupBy(attestations, ({ stream }) => stream);
}

/**
 * Reads the newest attestations of artifacts and of the trails that reported them.
 *
 * @returns a function that returns the attestations of one report and of its trail
 */
export async function readAttestationsOfReports(
  documents: Documents,
  reports: readonly ProvenanceDocument[],
): Promise<(report: ProvenanceDocument) => readonly AttestationDocument[]> {
  const results = new Map<string, AttestationDocument[]>();
  for (const group of pieces(reports, TOGETHER)) {
    const attestations = await readAllResults(documents.collection(newestAttestations), {
      where: {
        stream: { in: [...new Set(group.map(({ stream }) => stream))] },
        subject: { in: [...new Set([TRAIL_SUBJECT, ...group.flatMap(subjectsOfReport)])] },
      },
      order: orderBy('-at', '-id'),
    });
    for (const [key, list] of groupBy(attestations, keyOf)) results.set(key, list);
  }
  return (report) =>
    [TRAIL_SUBJECT, ...subjectsOfReport(report)].flatMap(
      (subject) => results.get(keyOf({ stream: report.stream, subject })) ?? [],
    );
}

function keyOf({ stream, subject }: Pick<AttestationDocument, 'stream' | 'subject'>): string {
  return `${stream}\n${subject}`;
}

/** Reads all results of a query in bounded pages. Limits at write time bound their number. */
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
