import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { countedPage } from '@assurance/event-sourcing/projection/days/read';
import { anyOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Documents } from '@assurance/storage-ports';
import { type ProvenanceDocument, provenanceId, provenances } from '../../domain/provenance';
import { artifactList, type ArtifactRow, type ArtifactScope, countedArtifacts } from './rows';

export interface ArtifactFilter {
  readonly org: string;
  /** Id of a flow. */
  readonly flow: string | null;
  /** Ids of repositories. Each has its own list, so an artifact of several repositories appears once for each. */
  readonly repos: readonly string[] | null;
}

/** Returns one page of artifacts, newest first. In a flow it lists each report. Otherwise it lists each artifact once, by its newest report. */
export async function listArtifacts(
  documents: Documents,
  filter: ArtifactFilter,
  page: PageRequest,
): Promise<PageEnds & { readonly rows: readonly ArtifactRow[] }> {
  const lists = scopesOf(filter).map(artifactList);
  const where = { list: anyOf(lists.map(({ key }) => key)) };
  const query = { lists, where, window: null };
  const { documents: rows, ...ends } = await countedPage(documents, countedArtifacts, query, page);
  return { rows: rows.map(({ doc }) => doc), ...ends };
}

/** Reads the reports of the listed artifacts. */
export async function readReports(documents: Documents, rows: readonly ArtifactRow[]): Promise<ProvenanceDocument[]> {
  const ids = rows.map(({ fingerprint, stream }) => provenanceId(fingerprint, stream));
  const results = await documents.collection(provenances).getMany([...new Set(ids)]);
  return ids.flatMap((id) => results.get(id) ?? []);
}

function scopesOf({ org, flow, repos }: ArtifactFilter): readonly ArtifactScope[] {
  if (repos !== null) return repos.map((repo) => (flow === null ? { repo } : { flow, repo }));
  return [flow === null ? { org } : { flow }];
}
