import type { RepoRef } from '@assurance/contracts/events/commit';
import { type Documents, getAll } from '@assurance/storage-ports';
import { joinedRepos } from './rows';

/** Returns a function that replaces the repository of an item by the repository that it was joined to. */
export async function joinedRepoResolver(documents: Documents, repos: readonly string[]) {
  const joinedById =
    repos.length === 0 ? new Map<string, never>() : await getAll(documents.collection(joinedRepos), repos);
  return <From extends { readonly repo: Pick<RepoRef, 'id'> | null }>(from: From): From => {
    const into = from.repo === null ? undefined : joinedById.get(from.repo.id)?.into;
    return into === undefined ? from : { ...from, repo: { ...from.repo, id: into } };
  };
}
