import type { Repo } from '@assurance/contracts/flows/documents';
import type { RepoFacts, RepoRecorded, RepoUpdated } from '@assurance/contracts/flows/events';
import { accepted, changedOf, type Decision, noChange, refused } from '@assurance/kernel';
import { ignoresCase, repoAddress } from './url';

/** The repository in a report. Absent fields keep their values. */
export interface RecordRepo {
  readonly name: string;
  readonly url: string;
  readonly provider: string | null;
  readonly description?: string;
  readonly externalId?: string;
  readonly namespacePath?: readonly string[];
  readonly additionalInfo?: Readonly<Record<string, unknown>>;
}

/** A repository as clients send it. */
export interface ReportedRepo {
  readonly url?: string | null;
  readonly name?: string | null;
  readonly id?: string | null;
  readonly description?: string | null;
  readonly provider?: string | null;
  readonly namespace_path?: readonly string[] | null;
  readonly additional_info?: Readonly<Record<string, unknown>> | null;
}

/**
 * The repository of a report: from `repo_info`, otherwise from a non-empty `repo_url`.
 *
 * @returns null when it names none
 */
export function reportedRepo(info: ReportedRepo | null, repoUrl: string | null): RecordRepo | null {
  const address = repoAddress(info?.url ?? '') ?? repoAddress(repoUrl ?? '');
  const name = info?.name || address?.name;
  const additional = info?.additional_info;
  if (name === undefined || (address === null && !info?.id)) return null;
  return {
    name,
    url: address?.url ?? '',
    provider: info?.provider || address?.provider || null,
    ...(info?.description == null ? {} : { description: info.description }),
    ...(info?.id ? { externalId: info.id } : {}),
    ...(info?.namespace_path == null ? {} : { namespacePath: info.namespace_path }),
    ...(isKept(additional) ? { additionalInfo: additional } : {}),
  };
}

/** The limit for further information from clients, in characters of JSON. Lists read it with the repository. */
const ADDITIONAL_MAX = 16_384;

function isKept(additional: ReportedRepo['additional_info']): additional is Readonly<Record<string, unknown>> {
  return additional != null && JSON.stringify(additional).length <= ADDITIONAL_MAX;
}

/** The names under which a repository is found. */
export interface RepoNames {
  /** By the provider's id; null without one. */
  readonly byId: string | null;
  /** By its address: each stands for all spellings of it that the provider takes for one. */
  readonly byUrl: readonly string[];
  /** As addresses were registered before they were compared by provider; null without an address. */
  readonly byUrlBefore: string | null;
}

export function repoNames({ provider, url, externalId, name }: RecordRepo): RepoNames {
  const scope = provider ?? '-';
  const byId = externalId === undefined ? null : `${scope}:${externalId}`;
  if (url === '') return { byId, byUrl: byId === null ? [name] : [], byUrlBefore: null };
  const { key, provider: ofHost } = repoAddress(url) ?? { key: url, provider: null };
  // A server of one's own, of whose provider only some reports tell.
  const byUrl = ignoresCase(provider) && !ignoresCase(ofHost) ? [...new Set([key.toLowerCase(), key])] : [key];
  return { byId, byUrl, byUrlBefore: `${scope}:${recordedBefore(url)}` };
}

/** The repository was joined to an older one: the report means that. */
export interface JoinedElsewhere {
  readonly kind: 'repo-joined';
  readonly into: string;
}

/**
 * Records a repository or what is new about it: another name or address of the same id is a rename of the record. An external id that is
 * there stays.
 *
 * @param facts.id the id that a new repository gets
 */
export function decideRecordRepo(
  state: Repo | null,
  { name, url, provider, description, externalId, ...more }: RecordRepo,
  facts: { readonly id: string },
): Decision<RepoRecorded | RepoUpdated, JoinedElsewhere> {
  if (state?.joined !== undefined) return refused({ kind: 'repo-joined', into: state.joined });
  if (state === null) {
    const repo = { name, url, provider, description: description ?? null, externalId: externalId ?? null, ...more };
    return accepted({ type: 'RepoRecorded', version: 1, data: { id: facts.id, ...repo } });
  }
  // A report without an id may have an old address, so it does not rename a record that has an id.
  const named = state.externalId === null || externalId !== undefined;
  const changes = changedOf<RepoFacts>(state, {
    name: named && !isSpelling(state, name) ? name : undefined,
    url: named && url !== '' && !isSameAddress(state, url) ? url : undefined,
    provider: provider ?? undefined,
    description,
    externalId: state.externalId === null ? externalId : undefined,
    ...more,
  });
  return changes === null ? noChange : accepted({ type: 'RepoUpdated', version: 1, data: changes });
}

/**
 * Records a repository under the external id that a report brings.
 *
 * @returns a refusal where it has another external id: the report means another repository
 */
export function decideAdoptRepo(
  state: Repo | null,
  input: RecordRepo,
  facts: { readonly id: string },
): Decision<RepoRecorded | RepoUpdated, 'repo-of-other-id' | JoinedElsewhere> {
  if (state?.joined !== undefined) return refused({ kind: 'repo-joined', into: state.joined });
  const own = state?.externalId ?? null;
  if (own !== null && own !== input.externalId) return refused('repo-of-other-id');
  return decideRecordRepo(state, input, facts);
}

/** Whether a name differs from the present one by letter case alone, where the provider ignores it: the first spelling stays. */
function isSpelling(state: Repo, name: string): boolean {
  return ignoresCase(state.provider) && state.name.toLowerCase() === name.toLowerCase();
}

/** Whether a URL is another spelling of the present one, which is as addresses are written now. */
function isSameAddress(state: Repo, url: string): boolean {
  const [present, next] = [repoNames(recordOf(state)), repoNames({ ...recordOf(state), url })];
  return repoAddress(state.url)?.url === state.url && present.byUrl.join() === next.byUrl.join();
}

function recordOf({ name, provider, url }: Repo): RecordRepo {
  return { name, provider, url };
}

/** What is no URL was taken for one. */
function recordedBefore(url: string): string {
  const [, host, path] = /^([^:/\s]+):(?!\/\/)(.+)$/.exec(url) ?? [];
  return host === undefined ? url : `https://${host.toLowerCase()}/${path?.replace(/^\/+/, '').replace(/\.git$/, '')}`;
}
