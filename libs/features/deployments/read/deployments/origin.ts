import type { CommitInfo, RepoRef } from '@assurance/contracts/events/commit';
import type { Provenance } from '@assurance/contracts/flows/events';

/**
 * The origin of an artifact: the first report of its fingerprint in the organization that is known so far. Rows keep the fields by which lists find
 * them and the fields that most lists show. The report has the rest. So two rows fit into a page of the embedded engine's file.
 */
export interface Origin extends Pick<Provenance, 'artifactId' | 'flow' | 'template' | 'reportedAt'> {
  readonly repo: Pick<RepoRef, 'id'> | null;
  readonly commit: Pick<CommitInfo, 'timestamp'> | null;
}

/** Returns the part of a report that rows keep. */
export function originOf({ artifactId, flow, template, reportedAt, repo, commit }: Provenance): Origin {
  return {
    artifactId,
    flow,
    template,
    reportedAt,
    repo: repo && { id: repo.id },
    commit: commit && { timestamp: commit.timestamp },
  };
}

/** Returns the earlier of two reports, by time, then by id. The order of arrival does not count. */
export function firstOf(a: Origin | null, b: Origin | null): Origin | null {
  if (a === null || b === null) return a ?? b;
  if (a.reportedAt !== b.reportedAt) return a.reportedAt < b.reportedAt ? a : b;
  // If both are the same report, the later reading counts: it knows the repository that the reported one was joined to.
  return a.artifactId < b.artifactId ? a : b;
}
