import { provenances, type ProvenanceDocument } from '@assurance/model-flow';
import type { Condition, Documents } from '@assurance/storage-ports';
import type { PageRequest } from '../pages';

const PIECE = 200;
const ORDER = [
  ['first.reportedAt', 'desc'],
  ['first.artifactId', 'desc'],
] as const;

export interface ArtifactFilter {
  readonly org: string;
  /** Id of a flow. */
  readonly flow: string | null;
  /** Ids of repositories. */
  readonly repos: readonly string[] | null;
}

/**
 * One page of reports of artifacts, newest first (WIRE 9.5). Of a flow alone each report counts; else each artifact is there once, by its
 * newest report, and pages are walked to.
 */
export async function listArtifacts(
  documents: Documents,
  { org, flow, repos }: ArtifactFilter,
  { page, perPage }: PageRequest,
): Promise<ProvenanceDocument[]> {
  const from = (page - 1) * perPage;
  const collection = documents.collection(provenances);
  if (flow !== null && repos === null) {
    const found = await collection.find({
      where: { 'first.flow.id': flow },
      order: ORDER,
      skip: from,
      limit: perPage,
    });
    return found.map(({ doc }) => doc);
  }
  const where: Record<string, Condition> = repos === null ? { org } : { 'first.repo.id': { in: repos } };
  const seen = new Set<string>();
  const shown: ProvenanceDocument[] = [];
  for (let skip = 0; ; skip += PIECE) {
    const found = await collection.find({ where, order: ORDER, skip, limit: PIECE });
    for (const { doc } of found) {
      if (seen.has(doc.fingerprint) || (flow !== null && doc.first.flow.id !== flow)) continue;
      seen.add(doc.fingerprint);
      if (seen.size > from) shown.push(doc);
      if (shown.length === perPage) return shown;
    }
    if (found.length < PIECE) return shown;
  }
}
