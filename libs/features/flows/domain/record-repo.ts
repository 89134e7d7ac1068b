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
 * Returns the repository of a report, from `repo_info` or else from a non-empty `repo_url`.
 *
 * @returns null if the report names no repository
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

/** The most additional information that is kept, in characters of JSON. Lists read it with the repository. */
const ADDITIONAL_MAX = 16_384;

function isKept(additional: ReportedRepo['additional_info']): additional is Readonly<Record<string, unknown>> {
  return additional != null && JSON.stringify(additional).length <= ADDITIONAL_MAX;
}

/** The names under which a repository is found. */
export interface RepoNames {
  /** The id at the provider; null without one. */
  readonly byId: string | null;
  /** The address. Each entry covers all spellings that the provider treats as the same. */
  readonly byUrl: readonly string[];
  /** The name that earlier versions registered, before they compared addresses by provider; null without an address. */
  readonly byUrlBefore: string | null;
}

export function repoNames({ provider, url, externalId, name }: RecordRepo): RepoNames {
  const scope = provider ?? '-';
  const byId = externalId === undefined ? null : `${scope}:${externalId}`;
  if (url === '') return { byId, byUrl: byId === null ? [name] : [], byUrlBefore: null };
  const { key, provider: ofHost } = repoAddress(url) ?? { key: url, provider: null };
  // On a self-hosted server only some reports state the provider, so register both spellings.
  const byUrl = ignoresCase(provider) && !ignoresCase(ofHost) ? [...new Set([key.toLowerCase(), key])] : [key];
  return { byId, byUrl, byUrlBefore: `${scope}:${recordedBefore(url)}` };
}

/** The repository was joined to an older one. The report is about the older one. */
export interface JoinedElsewhere {
  readonly kind: 'repo-joined';
  readonly into: string;
}

/**
 * Records a repository or its changes. Another name or address with the same id renames the record. An existing external id stays.
 *
 * @param facts.id the id of a new repository
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
  const canRename = state.externalId === null || externalId !== undefined;
  const changes = changedOf<RepoFacts>(state, {
    name: canRename && !isSpelling(state, name) ? name : undefined,
    url: canRename && url !== '' && !isSameAddress(state, url) ? url : undefined,
    provider: provider ?? undefined,
    description,
    externalId: state.externalId === null ? externalId : undefined,
    ...more,
  });
  return changes === null ? noChange : accepted({ type: 'RepoUpdated', version: 1, data: changes });
}

/**
 * Records a repository under the external id of a report.
 *
 * @returns a refusal if the record has another external id: the report is about another repository
 */
export function decideAdoptRepo(
  state: Repo | null,
  input: RecordRepo,
  facts: { readonly id: string },
): Decision<RepoRecorded | RepoUpdated, 'repo-of-other-id' | JoinedElsewhere> {
  if (state?.joined !== undefined) return refused({ kind: 'repo-joined', into: state.joined });
  const ownExternalId = state?.externalId ?? null;
  if (ownExternalId !== null && ownExternalId !== input.externalId) return refused('repo-of-other-id');
  return decideRecordRepo(state, input, facts);
}

/** Whether a name differs from the current one only in letter case, and the provider ignores case. If so, the first spelling stays. */
function isSpelling(state: Repo, name: string): boolean {
  return ignoresCase(state.provider) && state.name.toLowerCase() === name.toLowerCase();
}

/** Whether a URL is another spelling of the current one, and the current one is in the current form. */
function isSameAddress(state: Repo, url: string): boolean {
  const [present, next] = [repoNames(recordOf(state)), repoNames({ ...recordOf(state), url })];
  return repoAddress(state.url)?.url === state.url && present.byUrl.join() === next.byUrl.join();
}

function recordOf({ name, provider, url }: Repo): RecordRepo {
  return { name, provider, url };
}

/** Returns the URL as earlier versions recorded it. They treated every text as a URL. */
function recordedBefore(url: string): string {
  const [, host, path] = /^([^:/\s]+):(?!\/\/)(.+)$/.exec(url) ?? [];
  return host === undefined ? url : `https://${host.toLowerCase()}/${path?.replace(/^\/+/, '').replace(/\.git$/, '')}`;
}
