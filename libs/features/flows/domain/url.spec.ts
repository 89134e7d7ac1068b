import { compareUrl, repoAddress } from './url';

const hostOf = (text: string) => {
  const address = repoAddress(text);
  return address && { url: address.url, provider: address.provider, name: address.name };
};

describe('a repository address', () => {
  it.each([
    ['https://github.com/acme/shop', 'https://github.com/acme/shop', 'github', 'acme/shop'],
    ['https://GitHub.com/acme/shop.git', 'https://github.com/acme/shop', 'github', 'acme/shop'],
    ['https://user:pass@github.com:443/acme/shop/?a=b#c', 'https://github.com/acme/shop', 'github', 'acme/shop'],
    ['https://github.com//acme//shop//', 'https://github.com/acme/shop', 'github', 'acme/shop'],
    ['https://api.github.com/repos/acme/shop', 'https://github.com/acme/shop', 'github', 'acme/shop'],
    ['https://api.github.com/rate_limit', 'https://api.github.com/rate_limit', null, 'rate_limit'],
    ['https://github.com/acme/shop.git/tree/main', 'https://github.com/acme/shop', 'github', 'acme/shop'],
    ['https://bitbucket.org/acme/shop/src/main/', 'https://bitbucket.org/acme/shop', 'bitbucket', 'acme/shop'],
    [
      'https://api.bitbucket.org/2.0/repositories/acme/shop',
      'https://bitbucket.org/acme/shop',
      'bitbucket',
      'acme/shop',
    ],
    ['https://gitlab.com/acme/sub/shop/-/tree/main', 'https://gitlab.com/acme/sub/shop', 'gitlab', 'acme/sub/shop'],
    ['https://git.acme.example/a/b/tree/main', 'https://git.acme.example/a/b/tree/main', null, 'a/b/tree/main'],
    ['https://github.com/acme/shop.git/', 'https://github.com/acme/shop', 'github', 'acme/shop'],
    ['git@gitlab.com:acme/sub/shop.git', 'https://gitlab.com/acme/sub/shop', 'gitlab', 'acme/sub/shop'],
    ['ssh://git@bitbucket.org:22/acme/shop.git', 'https://bitbucket.org/acme/shop', 'bitbucket', 'acme/shop'],
    [
      'https://acme@dev.azure.com/acme/shop/_git/web',
      'https://dev.azure.com/acme/shop/_git/web',
      'azure-devops',
      'acme/shop/_git/web',
    ],
    [
      'git@ssh.dev.azure.com:v3/acme/Big Project/repo%20one',
      'https://dev.azure.com/acme/Big%20Project/_git/repo%20one',
      'azure-devops',
      'acme/Big%20Project/_git/repo%20one',
    ],
    [
      'ssh://git@git.acme.example:7999/shop/web.git',
      'https://git.acme.example/projects/SHOP/repos/web',
      null,
      'SHOP/web',
    ],
    [
      'https://git.acme.example/bitbucket/scm/~ada/web.git',
      'https://git.acme.example/bitbucket/users/ada/repos/web',
      null,
      '~ada/web',
    ],
    ['http://git.acme.example/Shop', 'https://git.acme.example/Shop', null, 'Shop'],
    ['git.acme.example/shop', 'https://git.acme.example/shop', null, 'shop'],
  ])('%s', (text, url, provider, name) => {
    expect(hostOf(text)).toEqual({ url, provider, name });
  });

  it.each(['', 'shop', 'no address', 'https://github.com', 'https://github.com/', 'https:///a', '::', '//', '\\'])(
    '%j names none',
    (text) => {
      expect(repoAddress(text)).toBeNull();
    },
  );

  it.each([
    'codecommit::eu-west-1://my-repo',
    'codecommit://profile@my-repo',
    'C:\\repos\\shop',
    'C:/repos/shop',
    'D:repos\\shop',
    '\\\\server\\share\\shop',
    '/srv/git/shop.git',
    '../shop',
    'file:///srv/git/shop.git',
    's3://bucket/shop',
    'javascript://github.com/%0aalert(1)',
  ])('%s is no URL and stays as it is', (text) => {
    expect(repoAddress(` ${text} `)).toEqual({ url: text, provider: null, name: text, key: text });
  });
});

describe('one repository', () => {
  it.each([
    [
      'at GitHub',
      'https://github.com/Acme/One',
      'git@github.com:acme/one.git',
      'ssh://git@ssh.github.com:443/ACME/one.git',
      'git://github.com/acme/one',
      'http://www.github.com/acme/one/',
      'https://x:y@github.com//acme//one?z=1',
    ],
    [
      'at GitLab',
      'https://gitlab.com/acme/Sub/one',
      'ssh://git@altssh.gitlab.com:443/acme/sub/one.git',
      'git@gitlab.com:Acme/sub/One',
    ],
    [
      'at Bitbucket',
      'https://ada@bitbucket.org/acme/one.git',
      'git@bitbucket.org:Acme/One.git',
      'ssh://git@altssh.bitbucket.org:443/acme/one.git',
    ],
    [
      'at Azure DevOps',
      'https://dev.azure.com/acme/Big%20Project/_git/repo',
      'git@ssh.dev.azure.com:v3/acme/Big%20Project/repo',
      'https://acme@dev.azure.com/acme/big project/_git/Repo',
      'ssh://git@ssh.dev.azure.com/v3/acme/Big%20Project/repo',
      'https://acme.visualstudio.com/Big%20Project/_git/repo',
      'acme@vs-ssh.visualstudio.com:v3/acme/Big%20Project/repo',
      'https://ACME.visualstudio.com/DefaultCollection/Big%20Project/_git/repo',
      'ssh://acme@acme.visualstudio.com:22/Big%20Project/_git/repo',
    ],
    [
      'that has the name of its project',
      'https://dev.azure.com/acme/shop/_git/shop',
      'https://dev.azure.com/acme/_git/shop',
      'https://acme.visualstudio.com/_git/shop',
      'git@ssh.dev.azure.com:v3/acme/shop/shop',
    ],
    [
      'at Bitbucket Data Center',
      'ssh://git@git.acme.example:7999/shop/web.git',
      'https://git.acme.example/scm/SHOP/web.git',
      'https://ada@git.acme.example/scm/shop/Web.git',
      'https://git.acme.example/projects/SHOP/repos/web/browse',
      'https://git.acme.example/context/scm/shop/web.git',
    ],
    [
      'of a person there',
      'ssh://git@git.acme.example:7999/~ada/web.git',
      'https://git.acme.example/scm/~ADA/web.git',
      'https://git.acme.example/users/ada/repos/web',
    ],
    [
      'elsewhere',
      'https://git.acme.example/a/%C3%BCb',
      'git@git.acme.example:a/\u00fcb.git',
      'ssh://git.acme.example/a//üb',
    ],
  ])('%s has one key, however it is addressed', (_, ...addresses) => {
    expect(new Set(addresses.map((address) => repoAddress(address)?.key)).size).toBe(1);
    expect(new Set(addresses.map((address) => repoAddress(address)?.provider)).size).toBe(1);
  });

  it.each([
    ['https://git.acme.example/Acme/one', 'https://git.acme.example/acme/one'],
    ['https://github.com/acme/one', 'https://gitlab.com/acme/one'],
    ['https://github.com/acme/one', 'https://github.com/acme/one.github.io'],
    ['https://dev.azure.com/acme/a/_git/one', 'https://dev.azure.com/acme/b/_git/one'],
    ['https://git.acme.example/scm/a/one.git', 'https://git.acme.example/scm/b/one.git'],
    ['https://gitlab.com/acme/a%2Fb', 'https://gitlab.com/acme/a/b'],
    ['https://git.acme.example/scm/one.git', 'https://git.acme.example/one'],
  ])('is not another: %s and %s', (left, right) => {
    expect(repoAddress(left)?.key).not.toBe(repoAddress(right)?.key);
  });
});

describe('a compare link', () => {
  const repo = (provider: string | null, id = 'r1') => ({ id, provider, url: 'https://h/a/b' });
  const link = (provider: string | null) =>
    compareUrl({ repo: repo(provider), commit: 'old' }, { repo: repo(provider), commit: 'new' });

  it.each([
    ['github', 'https://h/a/b/compare/old...new'],
    ['gitlab', 'https://h/a/b/-/compare/old...new'],
    ['bitbucket', 'https://h/a/b/branches/compare/new%0Dold'],
    ['azure-devops', 'https://h/a/b/branchCompare?baseVersion=GCold&targetVersion=GCnew'],
    ['gitea', null],
    [null, null],
  ])('of %s', (provider, url) => expect(link(provider)).toBe(url));

  it('is none for an unknown commit, another repository, or nothing before', () => {
    const now = { repo: repo('github'), commit: 'new' };
    expect(compareUrl({ repo: repo('github'), commit: null }, now)).toBeNull();
    expect(compareUrl({ repo: repo('github'), commit: '' }, now)).toBeNull();
    expect(compareUrl({ repo: repo('github', 'r2'), commit: 'old' }, now)).toBeNull();
    expect(compareUrl(null, now)).toBeNull();
  });

  it.each(['C:\\repos\\shop', 'codecommit::eu-west-1://shop', ''])('is none for %j, which is no link', (url) => {
    const of = (commit: string) => ({ repo: { id: 'r1', provider: 'github', url }, commit });
    expect(compareUrl(of('a'), of('b'))).toBeNull();
  });

  it('is given for equal commits', () => {
    const same = { repo: repo('github'), commit: 'c' };
    expect(compareUrl(same, same)).toBe('https://h/a/b/compare/c...c');
  });
});
