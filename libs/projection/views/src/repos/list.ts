import type { RepoAnswer } from '@assurance/contracts-http';
import { repo, type Repo } from '@assurance/model';
import type { Documents } from '@assurance/storage-ports';
import type { PageEnds } from '../beside';
import { every, hasTags, type Listing, pageOf, type PageRequest } from '../listing';

export interface RepoFilter {
  readonly org: string;
  /** Exactly this name. */
  readonly name?: string;
  /** Part of the name, in any case. */
  readonly search?: string;
  readonly provider?: string;
  readonly externalId?: string;
  /** All of these: `key` or `key:value`. */
  readonly tags?: readonly string[];
}

/** One page of the repositories that match, by name, and how many match in all. */
export async function listRepos(
  documents: Documents,
  filter: RepoFilter,
  page: PageRequest,
  direction: 'asc' | 'desc',
): Promise<PageEnds & { readonly repos: readonly Repo[]; readonly count: number }> {
  const { found, ...rest } = await pageOf<Repo>(documents.collection(repo.states), listingOf(filter, direction), page);
  return { repos: found.map(({ doc }) => doc), ...rest };
}

/** Every repository that matches, by name. */
export async function* matching(documents: Documents, filter: RepoFilter): AsyncGenerator<Repo> {
  for await (const { doc } of every<Repo>(documents.collection(repo.states), listingOf(filter, 'asc'))) yield doc;
}

function listingOf(
  { org, name, search, provider, externalId, tags = [] }: RepoFilter,
  direction: 'asc' | 'desc',
): Listing<Repo> {
  const part = search?.toLowerCase() ?? '';
  const matches = (one: Repo) =>
    (provider === undefined || one.provider === provider) &&
    one.name.toLowerCase().includes(part) &&
    hasTags(one.tags, tags);
  return {
    where: { org, ...(externalId === undefined ? {} : { externalId }), ...(name === undefined ? {} : { name }) },
    order: [...(name === undefined ? [['name', direction] as const] : []), ['id', direction] as const],
    matches: provider === undefined && part === '' && tags.length === 0 ? null : matches,
  };
}

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
