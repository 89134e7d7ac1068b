const HOSTS: Readonly<Record<string, string>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
  'dev.azure.com': 'azure-devops',
};

/** A repository's address in the one form that identifies it. */
export interface RepoAddress {
  /** https, lower-case host, no user, port, query, fragment, `.git` or trailing slash. */
  readonly url: string;
  /** By host; null for hosts that are not known. */
  readonly provider: string | null;
  /** The path, such as `owner/name`. */
  readonly name: string;
}

/**
 * Normalises what clients send as a repository's URL: `https://user@Host:443/a/b.git?x`, `git@host:a/b.git`, `ssh://git@host/a/b`.
 *
 * @returns null when the text names no host and path
 */
export function repoAddress(given: string): RepoAddress | null {
  const text = given.trim();
  const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(?!\d+\/)(.+)$/.exec(text);
  const web = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^:/?#]+)(?::\d+)?(\/[^?#]*)?/i.exec(text);
  const bare = /^([^:/?#\s]+\.[^:/?#\s]+)(\/[^?#]*)/.exec(text);
  const [, host, path] = web ?? scp ?? bare ?? [];
  if (host === undefined || path === undefined) return null;
  const name = path
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/, '')
    .replace(/\/+$/, '');
  if (name === '') return null;
  const lower = host.toLowerCase();
  return { url: `https://${lower}/${name}`, provider: HOSTS[lower] ?? null, name };
}

/** The fields of a repository that a compare link needs. */
export interface Comparable {
  readonly id: string;
  readonly url: string;
  readonly provider: string | null;
}

/**
 * The address at which a provider shows what lies between two commits. Equal commits are linked all the same.
 *
 * @returns null for other providers, unknown commits or different repositories
 */
export function compareUrl(
  before: { readonly repo: Comparable | null; readonly commit: string | null } | null,
  after: { readonly repo: Comparable | null; readonly commit: string | null },
): string | null {
  const { repo } = after;
  if (before === null || repo === null || before.repo?.id !== repo.id) return null;
  if (before.commit === null || after.commit === null) return null;
  const [old, now] = [before.commit, after.commit];
  switch (repo.provider) {
    case 'github':
      return `${repo.url}/compare/${old}...${now}`;
    case 'gitlab':
      return `${repo.url}/-/compare/${old}...${now}`;
    case 'bitbucket':
      return `${repo.url}/branches/compare/${now}%0D${old}`;
    case 'azure-devops':
      return `${repo.url}/branchCompare?baseVersion=GC${old}&targetVersion=GC${now}`;
    default:
      return null;
  }
}
