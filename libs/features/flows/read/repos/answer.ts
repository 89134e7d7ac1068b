import type { RepoAnswer } from '@assurance/contracts/flows/answers/repo';
import type { Repo } from '@assurance/contracts/flows/documents';
import { links, type Site } from '@assurance/contracts/http/links';
import { vcsInstance } from '../../lookups/repos';

/** The details of a repository other than name and address. */
export function repoMore({ url = '', tags = {}, namespacePath = [], additionalInfo = {} }: Partial<Repo> = {}) {
  return { tags, vcs_instance: vcsInstance(url), namespace_path: namespacePath, additional_info: additionalInfo };
}

/**
 * Builds the API answer for a repository.
 *
 * @param latestActivity integer milliseconds; null if it is not known
 */
export function repoAnswer(site: Site, repo: Repo, latestActivity: number | null): RepoAnswer {
  const { id, name, url, provider, description, externalId, createdAt, lastModifiedAt } = repo;
  return {
    id,
    name,
    url,
    provider,
    description,
    repo_id: externalId,
    ...repoMore(repo),
    latest_activity: latestActivity === null ? null : new Date(latestActivity).toISOString(),
    _links: { self: links.repo(site, id), deployments: links.repoDeployments(site, id) },
    created_at: createdAt / 1000,
    last_modified_at: lastModifiedAt / 1000,
  };
}
