import { compareUrl, repoAddress } from './url';

describe('a repository address', () => {
  it.each([
    ['https://github.com/acme/shop', 'https://github.com/acme/shop', 'github', 'acme/shop'],
    ['https://GitHub.com/acme/shop.git', 'https://github.com/acme/shop', 'github', 'acme/shop'],
    ['https://user:pass@github.com:443/acme/shop/?a=b#c', 'https://github.com/acme/shop', 'github', 'acme/shop'],
    ['git@gitlab.com:acme/sub/shop.git', 'https://gitlab.com/acme/sub/shop', 'gitlab', 'acme/sub/shop'],
    ['ssh://git@bitbucket.org:22/acme/shop.git', 'https://bitbucket.org/acme/shop', 'bitbucket', 'acme/shop'],
    [
      'https://acme@dev.azure.com/acme/shop/_git/web',
      'https://dev.azure.com/acme/shop/_git/web',
      'azure-devops',
      'acme/shop/_git/web',
    ],
    ['http://git.acme.example/Shop', 'https://git.acme.example/Shop', null, 'Shop'],
    ['git.acme.example/shop', 'https://git.acme.example/shop', null, 'shop'],
  ])('%s', (given, url, provider, name) => {
    expect(repoAddress(given)).toEqual({ url, provider, name });
  });

  it.each(['', 'shop', 'https://github.com', 'https://github.com/', 'https:///a'])('%j names none', (given) => {
    expect(repoAddress(given)).toBeNull();
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
    expect(compareUrl({ repo: repo('github', 'r2'), commit: 'old' }, now)).toBeNull();
    expect(compareUrl(null, now)).toBeNull();
  });

  it('is given for equal commits', () => {
    const same = { repo: repo('github'), commit: 'c' };
    expect(compareUrl(same, same)).toBe('https://h/a/b/compare/c...c');
  });
});
