import type { RepoAnswer } from '@assurance/contracts-http';
import { repo, type Repo } from '@assurance/model-repo';
import type { Documents } from '@assurance/storage-ports';
import { hasTags } from '../listing';
import type { PageRequest } from '../pages';

const SCAN = 500;

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

/** Repositories by name, as many as match on the page asked for, and how many match in all (WIRE 17). */
export async function listRepos(
  documents: Documents,
  filter: RepoFilter,
  { page, perPage }: PageRequest,
  direction: 'asc' | 'desc' = 'asc',
): Promise<{ readonly repos: readonly Repo[]; readonly count: number }> {
  const from = (page - 1) * perPage;
  const repos: Repo[] = [];
  let count = 0;
  for await (const found of matching(documents, filter, direction)) {
    if (count >= from && repos.length < perPage) repos.push(found);
    count += 1;
  }
  return { repos, count };
}

/** Every repository that matches, in order, read in bounded pieces. */
export async function* matching(
  documents: Documents,
  { org, name, search, provider, externalId, tags = [] }: RepoFilter,
  direction: 'asc' | 'desc' = 'asc',
): AsyncGenerator<Repo> {
  const where = { org, ...(externalId === undefined ? {} : { externalId }), ...(name === undefined ? {} : { name }) };
  const order = [...(name === undefined ? [['name', direction] as const] : []), ['id', direction] as const];
  for (let skip = 0; ; skip += SCAN) {
    const found = await documents.collection(repo.heads).find({ where, order, skip, limit: SCAN });
    for (const { doc } of found) {
      if (provider !== undefined && doc.provider !== provider) continue;
      if (search !== undefined && !doc.name.toLowerCase().includes(search.toLowerCase())) continue;
      if (!hasTags(doc.tags, tags)) continue;
      yield doc;
    }
    if (found.length < SCAN) return;
  }
}

/** A repository as the wire shows it (DECISIONS, Repository). */
export function repoAnswer({
  id,
  name,
  url,
  provider,
  description,
  externalId,
  tags,
  createdAt,
  lastModifiedAt,
}: Repo): RepoAnswer {
  return {
    id,
    name,
    url,
    provider,
    description,
    repo_id: externalId,
    tags,
    created_at: createdAt / 1000,
    last_modified_at: lastModifiedAt / 1000,
  };
}
