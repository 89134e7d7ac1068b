import type { Documents } from '@assurance/storage-ports';
import { type Trail, trail as trails } from '../../domain/trail';
import { reposById } from '../../lookups/repos';
import { flowActivity } from './activity';

/** Returns the repository URLs of some trails. The URL is null if a trail names no repository. */
export async function repoUrls(
  documents: Documents,
  trails: readonly Trail[],
): Promise<(trail: Trail) => string | null> {
  const ids = trails.flatMap((trail) => trail.repo ?? []);
  const repos = await reposById(documents, ids);
  return (trail) => (trail.repo === null ? null : repos.get(trail.repo)?.url || null);
}

/** Returns the repository URL of the trail with the latest activity in a flow. */
export async function repoUrlOf(documents: Documents, flow: string): Promise<string | null> {
  const latest = (await documents.collection(flowActivity).get(flow))?.latestTrail;
  const state = latest === undefined ? null : await documents.collection(trails.states).get(latest.stream);
  return state === null ? null : (await repoUrls(documents, [state]))(state);
}
