/** The address of a repository in one canonical form. */
export interface RepoAddress {
  /**
   * https, lower-case host, no user, port, query, fragment, `.git`, and no doubled or trailing slash. A text that is not a URL is unchanged.
   */
  readonly url: string;
  /** The provider of the host; null for unknown hosts. */
  readonly provider: string | null;
  /** The path, such as `owner/name`. */
  readonly name: string;
  /** Equal for all addresses of one repository. */
  readonly key: string;
}

const AZURE = 'dev.azure.com';
const HOSTS: Readonly<Record<string, string>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
  [AZURE]: 'azure-devops',
};

/** Other names of these hosts: for pages, for ssh on port 443, and older names. */
const ALIASES: Readonly<Record<string, string>> = {
  'www.github.com': 'github.com',
  'ssh.github.com': 'github.com',
  'www.gitlab.com': 'gitlab.com',
  'altssh.gitlab.com': 'gitlab.com',
  'www.bitbucket.org': 'bitbucket.org',
  'altssh.bitbucket.org': 'bitbucket.org',
  'ssh.dev.azure.com': AZURE,
  'vs-ssh.visualstudio.com': AZURE,
};

/** API addresses of providers. Events of GitHub Actions name a repository by such an address. */
const API: Readonly<Record<string, { readonly host: string; readonly path: readonly string[] }>> = {
  'api.github.com': { host: 'github.com', path: ['repos'] },
  'api.bitbucket.org': { host: 'bitbucket.org', path: ['2.0', 'repositories'] },
};

/** Providers that treat `Acme/Shop` and `acme/shop` as the same. */
const ANY_CASE: ReadonlySet<string | null> = new Set(Object.values(HOSTS));

/** Whether a provider ignores the letter case of names and paths. */
export function ignoresCase(provider: string | null): boolean {
  return ANY_CASE.has(provider);
}

const WEB =
  /^(?:https?|ssh|git|git\+ssh|ssh\+git|git\+https?):\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/?#]+)(?::(\d*))?(\/[^?#]*)?/i;
/** `user@host:path`. A single letter before the colon is a Windows drive. */
const SCP = /^(?:[^@/\s]+@)?([^:/\\\s]{2,}):(?!\/\/)(?!\d+\/)([^:\\][^\\]*)$/;
const BARE = /^([^:/?#\s\\][^:/?#\s\\.]*\.[^:/?#\s\\]+)(\/[^?#]*)/;

interface Parts {
  readonly host: string;
  readonly port: string;
  readonly segments: readonly string[];
}

/**
 * Normalises the repository URL that clients send: `https://user@Host:443/a/b.git?x`, `git@host:a/b.git`, `ssh://git@host/a/b`, and the
 * paths of Azure DevOps and Bitbucket Data Center. A text that is not a URL but may name a repository, such as `codecommit::region://name` or
 * `C:\repos\shop`, is kept.
 *
 * @returns null if the text names no repository
 */
export function repoAddress(value: string): RepoAddress | null {
  const text = value.trim();
  const parts = partsOf(textBefore(text));
  if (parts === null) return otherOf(textBefore(text));
  if (parts.segments.length === 0) return null;
  return azure(parts) ?? dataCenter(parts) ?? plainAddress(parts);
}

/** Returns the key of the Bitbucket Data Center page for an ssh path, because the page has another path. It returns null for other addresses. */
export function dataCenterKey(url: string): string | null {
  const [, host, project, repo] = /^https:\/\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(url) ?? [];
  if (host === undefined || host in HOSTS) return null;
  return dataCenterAddress(host, [], project ?? '', repo ?? '').key;
}

/** Whether an address can be opened in a browser. */
function isLink(url: string): boolean {
  return url.startsWith('https://');
}

function partsOf(text: string): Parts | null {
  const web = WEB.exec(text);
  const [, host, port, path] = web ?? groupsOf(SCP.exec(text)) ?? groupsOf(BARE.exec(text)) ?? [];
  if (host === undefined) return null;
  const lower = host.toLowerCase();
  const segments = (path ?? '').split('/').filter((segment) => segment !== '');
  const last = withoutGit(segments.pop() ?? '');
  return {
    host: ALIASES[lower] ?? lower,
    port: port ?? '',
    segments: last === '' ? segments : [...segments, last],
  };
}

const withoutGit = (segment: string) => segment.replace(/\.git$/, '');

/** Returns host and path, without a port. */
function groupsOf(match: RegExpExecArray | null): [string, string, string, string] | null {
  return match === null ? null : [match[0], match[1] ?? '', '', match[2] ?? ''];
}

/** Restores a text that earlier versions recorded as a URL, such as `https://codecommit/:region://name` and `https://c/\repos\shop`. */
function textBefore(text: string): string {
  const [, drive, path] = /^https:\/\/([a-z])\/(\\.+)$/.exec(text) ?? [];
  if (drive !== undefined) return `${drive.toUpperCase()}:${path}`;
  const [, scheme, rest] = /^https:\/\/([^./]+)\/(:.+)$/.exec(text) ?? [];
  return scheme === undefined ? text : `${scheme}:${rest}`;
}

function otherOf(text: string): RepoAddress | null {
  return isOther(text) ? { url: text, provider: null, name: text, key: text } : null;
}

/** Whether a text is a path or has its own scheme. A text of words alone names no repository. */
function isOther(text: string): boolean {
  return !/^(https?|ssh|git):/i.test(text) && /[^\s:/\\]/.test(text) && /::|:\/\/|\\|^\.{0,2}\/|^[a-z]:\//i.test(text);
}

function plainAddress({ host, segments }: Parts): RepoAddress {
  const of = API[host];
  const [own, path] =
    of !== undefined && segments.slice(0, of.path.length).join('/') === of.path.join('/')
      ? [of.host, segments.slice(of.path.length)]
      : [host, segments];
  return addressOf(own, repositoryIn(own, path).join('/'), HOSTS[own] ?? null);
}

/** Removes the path of a page in a repository, such as `tree/main` and `-/blob/main/README.md`. */
function repositoryIn(host: string, segments: readonly string[]): readonly string[] {
  if (host === 'github.com' || host === 'bitbucket.org') return segments.slice(0, 2).map(withoutGit);
  const page = host === 'gitlab.com' ? segments.indexOf('-') : -1;
  return page > 0 ? segments.slice(0, page) : segments;
}

function addressOf(host: string, name: string, provider: string | null): RepoAddress {
  const path = name.replace(/ /g, '%20');
  return { url: `https://${host}/${path}`, provider, name: path, key: keyOf(host, path, provider) };
}

/** Decodes %-codes, so that both spellings of a letter are equal. */
function keyOf(host: string, path: string, provider: string | null): string {
  const decoded = path.split('/').map(readable).join('/');
  return `${host}/${ignoresCase(provider) ? decoded.toLowerCase() : decoded}`;
}

function readable(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2F');
  } catch {
    return segment;
  }
}

/**
 * Azure DevOps: `dev.azure.com/org/project/_git/repo`, `org.visualstudio.com/[DefaultCollection/]project/_git/repo`, by ssh
 * `v3/org/project/repo`. The first repository of a project has the project's name, and the address contains this name only once.
 */
function azure({ host, segments }: Parts): RepoAddress | null {
  const [, old] = /^([^.]+)\.visualstudio\.com$/.exec(host) ?? [];
  if (old === undefined && host !== AZURE) return null;
  const path = old === undefined ? [...segments] : [old, ...segments];
  if (path[0] === 'v3' && path.length === 4) path.splice(0, 4, ...path.slice(1, 3), '_git', ...path.slice(3));
  if (path[1]?.toLowerCase() === 'defaultcollection') path.splice(1, 1);
  const at = path.findIndex((segment) => segment === '_git' || segment === '_ssh');
  if (at < 1 || path.length < at + 2) return addressOf(AZURE, path.join('/'), HOSTS[AZURE] ?? null);
  const repo = path[at + 1] ?? '';
  const project = at === 1 ? repo : path[at - 1];
  return addressOf(AZURE, [path[0], project, '_git', repo].join('/'), HOSTS[AZURE] ?? null);
}

/** The ssh port. */
const DATA_CENTER_SSH = '7999';

/**
 * Bitbucket Server and Data Center: `host/scm/PROJ/repo.git`, `ssh://git@host:7999/proj/repo.git` and the page
 * `host/projects/PROJ/repos/repo`. `~user` is the project of a user. Letter case does not matter.
 */
function dataCenter({ host, port, segments }: Parts): RepoAddress | null {
  if (host in HOSTS) return null;
  const at = segments.findIndex((segment) => ['scm', 'projects', 'users'].includes(segment));
  const [kind, project = '', third = '', fourth] = at < 0 ? [] : segments.slice(at);
  if (kind === 'scm' && segments.length === at + 3)
    return dataCenterAddress(host, segments.slice(0, at), project, third);
  if ((kind === 'projects' || kind === 'users') && third === 'repos' && fourth !== undefined) {
    return dataCenterAddress(host, segments.slice(0, at), kind === 'users' ? `~${project}` : project, fourth);
  }
  const [own = '', repo = ''] = segments;
  if (port === DATA_CENTER_SSH && segments.length === 2) return dataCenterAddress(host, [], own, repo);
  return null;
}

function dataCenterAddress(host: string, context: readonly string[], project: string, repo: string): RepoAddress {
  const person = project.startsWith('~');
  const key = person ? project.toLowerCase() : project.toUpperCase();
  const page = person ? ['users', key.slice(1)] : ['projects', key];
  const path = [...context, ...page, 'repos', repo].join('/').replace(/ /g, '%20');
  // An ssh URL does not contain the path of the pages.
  const identity = `${host}/projects/${key}/repos/${readable(repo).toLowerCase()}`;
  return { url: `https://${host}/${path}`, provider: null, name: `${key}/${repo}`, key: identity };
}

/** The fields of a repository that a compare link needs. */
export interface Comparable {
  readonly id: string;
  readonly url: string;
  readonly provider: string | null;
}

/**
 * Returns the address where a provider shows the changes between two commits. Equal commits get a link too.
 *
 * @returns null for other providers, addresses that are not links, unknown commits and different repositories
 */
export function compareUrl(
  before: { readonly repo: Comparable | null; readonly commit: string | null } | null,
  after: { readonly repo: Comparable | null; readonly commit: string | null },
): string | null {
  const { repo } = after;
  if (before === null || repo === null || before.repo?.id !== repo.id || !isLink(repo.url)) return null;
  const [old, now] = [before.commit, after.commit];
  // An artifact that was reported without a commit has an empty commit.
  if (old === null || old === '' || now === null || now === '') return null;
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
