import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import type { RepoRef } from '@assurance/contracts/events/commit';
import type { ArtifactReported, TrailBegun, TrailUpdated } from '@assurance/contracts/flows/events';
import { batches } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import { type Documents, getAll } from '@assurance/storage-ports';
import type { Repo } from '@assurance/contracts/flows/documents';
import { idsOf } from '../../lookups/repos';

/** The time of the latest report about a repository. The document has the id of the repository. */
interface RepoActivityRow {
  readonly org: string;
  /** Integer milliseconds. */
  readonly at: number;
}

const repoActivity: CollectionShape<RepoActivityRow> = {
  name: 'view_repo_activity',
  deferred: 'first',
  indexes: [],
};

type FollowedEvent = TrailBegun | TrailUpdated | ArtifactReported;

/** When a trail or an artifact of each repository was last reported. */
export const repoActivityView: View = {
  name: 'repo-activity',
  version: 1,
  collections: [repoActivity],
  kinds: new Set(['trail', 'artifact']),
  types: new Set<FollowedEvent['type']>(['TrailBegun', 'TrailUpdated', 'ArtifactReported']),
  take: (documents, recorded) => follow(documents, recorded as readonly RecordedEvent<FollowedEvent>[]),
};

/** Times only ever grow, so events may arrive in any order, and again. */
async function follow(documents: Documents, recordedEvents: readonly RecordedEvent<FollowedEvent>[]): Promise<void> {
  const newest = new Map<string, RepoActivityRow>();
  for (const { event, meta } of recordedEvents) {
    const id = repoOf(event)?.id;
    if (id !== undefined) newest.set(id, { org: meta.org, at: Math.max(newest.get(id)?.at ?? 0, meta.at) });
  }
  for (const ids of batches([...newest.keys()])) {
    await documents.collection(repoActivity).merge(ids, (current, id) => {
      const next = newest.get(id);
      return next === undefined || (current !== null && current.at >= next.at) ? undefined : next;
    });
  }
}

function repoOf({ type, data }: FollowedEvent): RepoRef | null | undefined {
  return type === 'ArtifactReported' ? data.provenance.repo : data.repo;
}

/** Reads when each repository, or one that was joined to it, was last reported (milliseconds). It uses one read for all. */
export async function latestActivity(
  documents: Documents,
  repos: readonly Repo[],
): Promise<(repo: Repo) => number | null> {
  const rows = await getAll(documents.collection(repoActivity), repos.flatMap(idsOf));
  return (repo) =>
    idsOf(repo).reduce<number | null>((last, id) => {
      const at = rows.get(id)?.at ?? null;
      return at === null ? last : Math.max(last ?? 0, at);
    }, null);
}
