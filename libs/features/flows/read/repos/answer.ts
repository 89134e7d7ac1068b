import type { RepoAnswer } from '@assurance/contracts/flows/answers/repo';
import type { Repo } from '@assurance/contracts/flows/documents';

/** The details of a repository other than name and address. */
export function repoMore({ tags = {}, namespacePath = [], additionalInfo = {} }: Partial<Repo> = {}) {
  return { tags, vcs_instance: null, namespace_path: namespacePath, additional_info: additionalInfo };
}

/** A repository as the wire shows it. */
export function repoAnswer(repo: Repo): RepoAnswer {
  const { id, name, url, provider, description, externalId, createdAt, lastModifiedAt } = repo;
  return {
    id,
    name,
    url,
    provider,
    description,
    repo_id: externalId,
    ...repoMore(repo),
    created_at: createdAt / 1000,
    last_modified_at: lastModifiedAt / 1000,
  };
}
