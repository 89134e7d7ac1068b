import type { Organization } from '@assurance/access/lookups/organization';
import { streams } from '@assurance/contracts/events/streams';
import type { Repo } from '@assurance/contracts/flows/documents';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import {
  readListing,
  hasTags,
  type Listing,
  pageOf,
  type PageRequest,
} from '@assurance/event-sourcing/projection/listing';
import { type Documents, type StoredDocument, getAll } from '@assurance/storage-ports';
import { repo } from '../domain/repo';
import { ignoresCase } from '../domain/url';

export interface RepoFilter {
  readonly org: string;
  /** Exactly this name. */
  readonly name?: string;
  /** Part of the name, in any letter case. */
  readonly search?: string;
  readonly provider?: string;
  readonly externalId?: string;
  /** Each of these tags: `key` or `key:value`. */
  readonly tags?: readonly string[];
  /** Exactly this host of the address. */
  readonly vcsInstance?: string;
  /** Names of groups, separated by slashes. It includes everything below them, at any depth. */
  readonly namespace?: string;
}

/** Returns the host of a repository's address, or null if the address is not a URL. */
export function vcsInstance(url: string): string | null {
  return URL.parse(url)?.host || null;
}

/** Returns the groups of a repository: as reported, or else from its name. */
export function namespaceOf({ namespacePath = [], name }: Pick<Repo, 'namespacePath' | 'name'>): readonly string[] {
  return namespacePath.length > 0 ? namespacePath : name.split('/').slice(0, -1);
}

/** @param namespace names of groups, separated by slashes */
export function isInNamespace(candidate: Repo, namespace: string): boolean {
  const groups = groupsIn(namespace);
  const namespaceParts = namespaceOf(candidate);
  return groups.every((part, i) => namespaceParts[i] === part);
}

/** Splits a text into the names of groups. */
export function groupsIn(namespace: string): readonly string[] {
  return namespace.split('/').filter((part) => part !== '');
}

/** Returns one page of the matching repositories, by name, and the number of all matches. */
export async function listRepos(
  documents: Documents,
  filter: RepoFilter,
  page: PageRequest,
  direction: 'asc' | 'desc',
): Promise<PageEnds & { readonly repos: readonly Repo[]; readonly count: number }> {
  const states = documents.collection(repo.states);
  const { documents: repos, ...rest } = await pageOf<Repo>(states, listingOf(filter, direction), page);
  return { repos: repos.map(({ doc }) => doc), ...rest };
}

/** The value by which callers select repositories without a provider. */
export const NO_PROVIDER = 'none';

/** Returns the repositories with exactly this name. If there are none, it ignores letter case for providers that do. */
export async function findReposByName(
  documents: Documents,
  { org, name, provider }: Required<Pick<RepoFilter, 'org' | 'name'>> & Pick<RepoFilter, 'provider'>,
): Promise<Repo[]> {
  const exact = await matchingRepos(documents, { org, name, provider });
  if (exact.length > 0) return exact;
  const lower = name.toLowerCase();
  const matchingName = await matchingRepos(documents, { org, search: name, provider });
  return matchingName.filter((candidate) => ignoresCase(candidate.provider) && candidate.name.toLowerCase() === lower);
}

async function matchingRepos(documents: Documents, filter: RepoFilter): Promise<Repo[]> {
  const repos: Repo[] = [];
  for await (const { doc } of everyRepo(documents, filter)) repos.push(doc);
  return repos;
}

/** Yields the matching repositories by name. It reads them in bounded pieces. */
export function everyRepo(documents: Documents, filter: RepoFilter): AsyncGenerator<StoredDocument<Repo>> {
  return readListing<Repo>(documents.collection(repo.states), listingOf(filter, 'asc'));
}

/** Returns all ids of a repository: its own, and the ids of younger ones that were joined to it. */
export function idsOf({ id, absorbed = [] }: Repo): readonly string[] {
  return [id, ...absorbed];
}

/** Returns repositories by the ids in events. For a repository that was joined to another, it returns the other one. */
export async function reposById(documents: Documents, ids: readonly string[]): Promise<ReadonlyMap<string, Repo>> {
  const states = documents.collection(repo.states);
  const results = await getAll(states, ids.map(streams.repo));
  const joinedIds = [...results.values()].flatMap(({ joined: into }) => into ?? []);
  const survivors = await getAll(states, joinedIds.map(streams.repo));
  const current = (candidate: Repo) => survivors.get(streams.repo(candidate.joined ?? '')) ?? candidate;
  return new Map([...results.values()].map((state) => [state.id, current(state)]));
}

function listingOf(
  { org, name, search, provider, externalId, tags = [], vcsInstance: host, namespace }: RepoFilter,
  direction: 'asc' | 'desc',
): Listing<Repo> {
  const part = search?.toLowerCase() ?? '';
  const matches = (candidate: Repo) =>
    (provider === undefined || (candidate.provider ?? NO_PROVIDER) === provider) &&
    candidate.name.toLowerCase().includes(part) &&
    (host === undefined || vcsInstance(candidate.url) === host) &&
    (namespace === undefined || isInNamespace(candidate, namespace)) &&
    hasTags(candidate.tags, tags);
  const isWhole = [provider, host, namespace].every((value) => value === undefined) && part === '' && tags.length === 0;
  return {
    where: { org, ...(externalId === undefined ? {} : { externalId }), ...(name === undefined ? {} : { name }) },
    order: [...(name === undefined ? [['name', direction] as const] : []), ['id', direction] as const],
    matches: isWhole ? null : matches,
  };
}

/** Finds a repository of the organization by its internal id, or by the id of one that was joined to it. */
export async function findRepo(documents: Documents, org: Organization, id: string): Promise<Repo | null> {
  const state = (await reposById(documents, [id])).get(id);
  return state?.org === org.id ? state : null;
}

/** A selection of repositories. All given fields apply. */
export interface RepoSelection {
  readonly name?: string | undefined;
  /** Internal id. */
  readonly id?: string | undefined;
  /** The id at the provider. */
  readonly externalId?: string | undefined;
}

/** Returns the ids that events use for the selected repositories, or null if no field is given, which selects all. */
export async function findSelectedRepoIds(
  documents: Documents,
  org: Organization,
  { name, id, externalId }: RepoSelection,
): Promise<string[] | null> {
  const byId = id === undefined ? null : await findRepo(documents, org, id);
  const selectedRepos = [
    ...(id === undefined ? [] : [byId === null ? [] : [byId]]),
    ...(name === undefined ? [] : [await findReposByName(documents, { org: org.id, name })]),
    ...(externalId === undefined ? [] : [await matchingRepos(documents, { org: org.id, externalId })]),
  ];
  const [first, ...others] = selectedRepos;
  if (first === undefined) return null;
  return first
    .filter((candidate) => others.every((all) => all.some((other) => other.id === candidate.id)))
    .flatMap(idsOf);
}

/** Returns the ids that events use for the repository with this internal id. If there is none, it selects all with this name. */
export async function repoIdsByIdOrName(
  documents: Documents,
  org: Organization,
  requestedRepo: string,
): Promise<readonly string[]> {
  const byId = await findRepo(documents, org, requestedRepo);
  return byId === null ? findRepoIdsByName(documents, org, requestedRepo) : idsOf(byId);
}

/** Returns the ids that events use for the repositories with this name. Several may share a name. */
export async function findRepoIdsByName(documents: Documents, org: Organization, name: string): Promise<string[]> {
  return (await findReposByName(documents, { org: org.id, name })).flatMap(idsOf);
}
