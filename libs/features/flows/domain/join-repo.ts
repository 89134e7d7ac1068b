import type { Repo } from '@assurance/contracts/flows/documents';
import type { RepoAbsorbed, RepoFacts, RepoJoined, RepoTagged, RepoUpdated } from '@assurance/contracts/flows/events';
import { accepted, changedOf, type Decision, noChange, refused } from '@assurance/kernel';
import { dataCenterKey, ignoresCase, repoAddress } from './url';

/** Records of one repository under several addresses: the oldest, which stays, and the others. */
export interface SameRepo {
  readonly oldest: Repo;
  /** Oldest first. */
  readonly younger: readonly Repo[];
}

/** The repositories at one address. */
export interface ReposAtAddress {
  readonly same: readonly SameRepo[];
  /** Repositories without an id at the provider, if others at the address have different ids. It is unclear which repository they are. */
  readonly unclear: readonly Repo[];
}

/** Finds records of the same repository. Records with different ids at the provider are different repositories. */
export function sameRepos(repos: readonly Repo[]): ReposAtAddress {
  const separate = repos.filter(({ joined }) => joined === undefined);
  const keys = new Set(separate.map(keyOf));
  const byKey = new Map<string, Repo[]>();
  for (const repo of separate) {
    // Earlier versions recorded ssh addresses without regard to the port, so compare by the Data Center key too.
    const bySsh = dataCenterKey(repo.url);
    const key = bySsh !== null && keys.has(bySsh) ? bySsh : keyOf(repo);
    if (key !== null) byKey.set(key, [...(byKey.get(key) ?? []), repo]);
  }
  const sameRepos: SameRepo[] = [];
  const unclearRepos: Repo[] = [];
  for (const group of byKey.values()) {
    const ids = new Set(group.flatMap(({ externalId }) => externalId ?? []));
    if (ids.size > 1) unclearRepos.push(...group.filter(({ externalId }) => externalId === null));
    const [oldest, ...younger] = group.toSorted(byAge);
    if (ids.size <= 1 && oldest !== undefined && younger.length > 0) sameRepos.push({ oldest, younger });
  }
  return { same: sameRepos, unclear: unclearRepos };
}

function keyOf({ url, provider }: Repo): string | null {
  const address = repoAddress(url);
  if (address === null) return null;
  return ignoresCase(provider) ? address.key.toLowerCase() : address.key;
}

function byAge(a: Repo, b: Repo): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

/**
 * Merges younger repositories into the oldest: their tags, if the oldest has no value of its own, and the id at the provider. If it is decided again,
 * nothing changes. The number of tags is not limited here, because no tag may be lost.
 */
export function decideAbsorbRepos(
  state: Repo,
  younger: readonly Repo[],
): Decision<RepoAbsorbed | RepoUpdated | RepoTagged, never> {
  const absorbedIds = new Set(state.absorbed ?? []);
  const ids = younger.flatMap(({ id, absorbed = [] }) => [id, ...absorbed]).filter((id) => !absorbedIds.has(id));
  const all = [state, ...younger];
  const identifiedRepo = all.find(({ externalId }) => externalId !== null) ?? all.find(hasPage) ?? state;
  const facts = changedOf<RepoFacts>(state, { ...addressOf(identifiedRepo), externalId: identifiedRepo.externalId });
  const set = Object.fromEntries(
    younger
      .toReversed()
      .flatMap(({ tags }) => Object.entries(tags))
      .filter(([key]) => !Object.hasOwn(state.tags, key)),
  );
  const events = [
    ...(ids.length === 0 ? [] : [{ type: 'RepoAbsorbed', version: 1, data: { ids } } as const]),
    ...(facts === null ? [] : [{ type: 'RepoUpdated', version: 1, data: facts } as const]),
    ...(Object.keys(set).length === 0 ? [] : [{ type: 'RepoTagged', version: 1, data: { set, removed: [] } } as const]),
  ];
  const [first, ...more] = events;
  return first === undefined ? noChange : accepted(first, ...more);
}

/** Whether the address is a page of a Bitbucket Data Center. An ssh address does not show the path of this page. */
function hasPage({ url }: Repo): boolean {
  return /\/projects\/[^/]+\/repos\//.test(repoAddress(url)?.key ?? '');
}

/** Returns name, address and provider in the form that a report records now. A name that differs from the path stays. */
function addressOf({ name, url, provider }: Repo): Partial<RepoFacts> {
  const address = repoAddress(url);
  if (address === null) return { name, url, provider };
  const isPath = url === `https://${url.split('/')[2] ?? ''}/${name}`;
  return { name: isPath ? address.name : name, url: address.url, provider: provider ?? address.provider };
}

/** Ends the stream of a repository that was merged into an older one. */
export function decideJoinRepo(state: Repo, into: string): Decision<RepoJoined, 'joined-elsewhere'> {
  if (state.joined === into) return noChange;
  return state.joined === undefined
    ? accepted({ type: 'RepoJoined', version: 1, data: { into } })
    : refused('joined-elsewhere');
}
