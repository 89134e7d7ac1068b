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
  /** Part of the name, in any case. */
  readonly search?: string;
  readonly provider?: string;
  readonly externalId?: string;
  /** All of these: `key` or `key:value`. */
  readonly tags?: readonly string[];
  /** Exactly this host of the address. */
  readonly vcsInstance?: string;
  /** Names of groups with slashes between; everything below them, at any depth. */
  readonly namespace?: string;
}

/** The host of a repository's address; null where that is no URL. */
export function vcsInstance(url: string): string | null {
  return URL.parse(url)?.host || null;
}

/** The groups of a repository: as reported, else those in its name. */
export function namespaceOf({ namespacePath = [], name }: Pick<Repo, 'namespacePath' | 'name'>): readonly string[] {
  return namespacePath.length > 0 ? namespacePath : name.split('/').slice(0, -1);
}

/** @param namespace names of groups with slashes between */
export function isInNamespace(candidate: Repo, namespace: string): boolean {
  const groups = groupsIn(namespace);
  const own = namespaceOf(candidate);
  return groups.every((part, i) => own[i] === part);
}

/** The names of groups in a text with slashes between. */
export function groupsIn(namespace: string): readonly string[] {
  return namespace.split('/').filter((part) => part !== '');
}

/** One page of the repositories that match, by name, and how many match in all. */
export async function listRepos(
  documents: Documents,
  filter: RepoFilter,
  page: PageRequest,
  direction: 'asc' | 'desc',
): Promise<PageEnds & { readonly repos: readonly Repo[]; readonly count: number }> {
  const { documents: repos, ...rest } = await pageOf<Repo>(
    documents.collection(repo.states),
    listingOf(filter, direction),
    page,
  );
  return { repos: repos.map(({ doc }) => doc), ...rest };
}

/** How callers say that a repository has no provider. */
export const NO_PROVIDER = 'none';

/** The repositories with exactly this name. If there are none, those with the name in another letter case, if their provider ignores case. */
export async function reposNamed(
  documents: Documents,
  { org, name, provider }: Required<Pick<RepoFilter, 'org' | 'name'>> & Pick<RepoFilter, 'provider'>,
): Promise<Repo[]> {
  const exact = await matchingRepos(documents, { org, name, provider });
  if (exact.length > 0) return exact;
  const lower = name.toLowerCase();
  const alike = await matchingRepos(documents, { org, search: name, provider });
  return alike.filter((candidate) => ignoresCase(candidate.provider) && candidate.name.toLowerCase() === lower);
}

async function matchingRepos(documents: Documents, filter: RepoFilter): Promise<Repo[]> {
  const repos: Repo[] = [];
  for await (const { doc } of everyRepo(documents, filter)) repos.push(doc);
  return repos;
}

/** The repositories that match, by name, read in bounded pieces. */
export function everyRepo(documents: Documents, filter: RepoFilter): AsyncGenerator<StoredDocument<Repo>> {
  return readListing<Repo>(documents.collection(repo.states), listingOf(filter, 'asc'));
}

/** All ids of a repository: its own, and those of younger ones that were joined to it. */
export function idsOf({ id, absorbed = [] }: Repo): readonly string[] {
  return [id, ...absorbed];
}

/** Repositories by the ids that events name. A repository that was joined to another gives the other one. */
export async function reposById(documents: Documents, ids: readonly string[]): Promise<ReadonlyMap<string, Repo>> {
  const states = documents.collection(repo.states);
  const results = await getAll(states, ids.map(streams.repo));
  const joined = [...results.values()].flatMap(({ joined: into }) => into ?? []);
  const survivors = await getAll(states, joined.map(streams.repo));
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

/** A repository of the organization by its internal id, or by that of one that was joined to it. */
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

/** The ids that events use for the selected repositories; null if nothing is given, which selects all. */
export async function repoIdsSelected(
  documents: Documents,
  org: Organization,
  { name, id, externalId }: RepoSelection,
): Promise<string[] | null> {
  const byId = id === undefined ? null : await findRepo(documents, org, id);
  const selected = [
    ...(id === undefined ? [] : [byId === null ? [] : [byId]]),
    ...(name === undefined ? [] : [await reposNamed(documents, { org: org.id, name })]),
    ...(externalId === undefined ? [] : [await matchingRepos(documents, { org: org.id, externalId })]),
  ];
  const [first, ...others] = selected;
  if (first === undefined) return null;
  return first
    .filter((candidate) => others.every((all) => all.some((other) => other.id === candidate.id)))
    .flatMap(idsOf);
}

/** The ids that events use for the repository with this internal id. If there is none, those of every repository with exactly this name. */
export async function repoIdsByIdOrName(
  documents: Documents,
  org: Organization,
  requested: string,
): Promise<readonly string[]> {
  const byId = await findRepo(documents, org, requested);
  return byId === null ? repoIdsNamed(documents, org, requested) : idsOf(byId);
}

/** The ids that events use for the repositories with this name. Several may share a name. */
export async function repoIdsNamed(documents: Documents, org: Organization, name: string): Promise<string[]> {
  return (await reposNamed(documents, { org: org.id, name })).flatMap(idsOf);
}
