import type { Documents } from '@assurance/storage-ports';
import { type Trail, trail as trails } from '../../domain/trail';
import { reposById } from '../../lookups/repos';
import { flowActivity } from './activity';

/** The URLs of the repositories of some trails: null for a trail that names none. */
export async function repoUrls(documents: Documents, some: readonly Trail[]): Promise<(trail: Trail) => string | null> {
  const ids = some.flatMap((trail) => trail.repo ?? []);
  const repos = await reposById(documents, ids);
  return (trail) => (trail.repo === null ? null : repos.get(trail.repo)?.url || null);
}

/** The URL of the repository of a flow: that of the trail in which something happened last. */
export async function repoUrlOf(documents: Documents, flow: string): Promise<string | null> {
  const latest = (await documents.collection(flowActivity).get(flow))?.latestTrail;
  const state = latest === undefined ? null : await documents.collection(trails.states).get(latest.stream);
  return state === null ? null : (await repoUrls(documents, [state]))(state);
}
