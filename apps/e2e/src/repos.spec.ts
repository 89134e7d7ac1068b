import type { ErrorBody } from '@assurance/contracts/http/answers/common';
import type { RepoAnswer, RepoPage } from '@assurance/contracts/flows/answers/repo';
import { artifact, digest, flow, fresh, post } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const list = (query: string) => caller().get<RepoPage>(`/repos/acme?${query}`);
  const get = (path: string) => caller().get<RepoAnswer>(`/repos/acme/${path}`);
  /** Records a repository the way clients do: with an artifact. */
  const record = async (fields: Readonly<Record<string, unknown>>) => {
    await post(caller(), await flow(caller()), artifact(digest(fresh('artifact')), fields));
  };
  const info = (repo_info: Readonly<Record<string, unknown>>) => record({ repo_info, repo_url: '' });

  it('records a repository with the first artifact that names it', async () => {
    const name = `acme/${fresh('repo')}`;
    const before = Date.now() / 1000;
    const more = { namespace_path: ['acme', 'web'], additional_info: { stars: 7 } };
    await info({
      url: `https://github.com/${name}`,
      name,
      id: '1001',
      provider: 'github',
      description: 'Tea',
      ...more,
    });
    const { repos, ...page } = await list(`name=${encodeURIComponent(name)}`);
    expect(page).toMatchObject({ page: 1, per_page: 15, total_pages: 1, total_count: 1 });
    expect(repos).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name,
        url: `https://github.com/${name}`,
        provider: 'github',
        description: 'Tea',
        repo_id: '1001',
        tags: {},
        vcs_instance: 'github.com',
        namespace_path: ['acme', 'web'],
        additional_info: { stars: 7 },
        latest_activity: expect.stringMatching(/^\d{4}-.*Z$/),
        _links: {
          self: expect.stringContaining('/api/v2/repos/acme/'),
          deployments: expect.stringMatching(/\/api\/v2\/repos\/acme\/[0-9a-f-]{36}\/deployments$/),
        },
        created_at: expect.any(Number),
        last_modified_at: expect.any(Number),
      },
    ]);
    expect(repos[0]?.created_at).toBeGreaterThan(before - 1);
    expect(await get(name)).toEqual(repos[0]);
    expect(await get(`${repos[0]?.id}?id=${repos[0]?.id}`)).toEqual(repos[0]);
    expect(await get(`what/ever?id=${repos[0]?.id}`)).toEqual(repos[0]);
  });

  it.each([
    ['github', 'https://user:word@GitHub.com:443/acme/NAME.git?x=1#y', 'https://github.com/acme/NAME'],
    ['github', 'git@github.com:acme/NAME.git', 'https://github.com/acme/NAME'],
    ['gitlab', 'ssh://git@gitlab.com/acme/NAME/', 'https://gitlab.com/acme/NAME'],
    ['bitbucket', 'http://bitbucket.org/acme/NAME', 'https://bitbucket.org/acme/NAME'],
    ['azure-devops', 'https://dev.azure.com/acme/NAME', 'https://dev.azure.com/acme/NAME'],
    [null, 'https://git.example.com/acme/NAME', 'https://git.example.com/acme/NAME'],
  ])('recognizes the provider %s and normalizes %s', async (provider, text, url) => {
    const name = fresh('repo');
    await record({ repo_info: undefined, repo_url: text.replace('NAME', name) });
    const expected = { name: `acme/${name}`, url: url.replace('NAME', name), provider, repo_id: null };
    expect(await get(`acme/${name}`)).toMatchObject(expected);
  });

  it('is one repository, however its address is spelled', async () => {
    const name = `acme/${fresh('repo')}`;
    await record({ repo_info: undefined, repo_url: `https://github.com/${name}` });
    await record({ repo_info: undefined, repo_url: `git@github.com:${name}.git` });
    await info({ url: `https://github.com/${name}/`, provider: 'github' });
    expect(await list(`name=${name}`)).toMatchObject({ total_count: 1 });
  });

  it.each([
    [
      'github',
      [
        'https://github.com/ACME/Name',
        'git@github.com:acme/name.git',
        'ssh://git@ssh.github.com:443/Acme/NAME',
        'https://api.github.com/repos/acme/name',
        'https://github.com/acme/name/tree/main',
      ],
    ],
    ['gitlab', ['https://gitlab.com/acme/sub/name', 'https://gitlab.com/Acme/sub/name/-/blob/main/README.md']],
    [
      'bitbucket',
      [
        'git@bitbucket.org:acme/name.git',
        'https://bitbucket.org/acme/name/src/main/',
        'https://bitbucket.org/ACME/name',
      ],
    ],
    [
      'azure-devops',
      [
        'git@ssh.dev.azure.com:v3/acme/Big%20Project/name',
        'https://acme@dev.azure.com/acme/Big%20Project/_git/name',
        'https://acme.visualstudio.com/DefaultCollection/Big%20Project/_git/name',
      ],
    ],
    [null, ['ssh://git@git.example.com:7999/name/web.git', 'https://git.example.com/scm/NAME/web.git']],
    [null, ['https://git.example.com//acme//name/', 'git@git.example.com:acme/name.git']],
  ])('is one repository of %s under all its addresses', async (provider, addresses) => {
    const name = fresh('name');
    for (const address of addresses) await record({ repo_info: undefined, repo_url: address.replace(/name/i, name) });
    const { repos } = await list(`search=${name}`);
    expect(repos.map((repo) => repo.provider)).toEqual([provider]);
    expect(repos[0]?.url).toMatch(/^https:/);
  });

  it.each(['codecommit::eu-west-1://NAME', 'C:\\repos\\NAME'])('keeps %s, which is no address', async (text) => {
    const input = text.replace('NAME', fresh('repo'));
    await record({ repo_info: undefined, repo_url: input });
    await record({ repo_info: undefined, repo_url: input });
    const { repos } = await list(`name=${encodeURIComponent(input)}`);
    expect(repos.map(({ url, provider }) => [url, provider])).toEqual([[input, null]]);
  });

  it('is found in any letter case where its provider ignores it', async () => {
    const name = `Acme/${fresh('Repo')}`;
    await record({ repo_info: undefined, repo_url: `https://github.com/${name}` });
    const { id } = await get(name.toUpperCase());
    expect((await get(name)).id).toBe(id);
    const other = `Acme/${fresh('Repo')}`;
    await record({ repo_info: undefined, repo_url: `https://git.example.com/${other}` });
    await caller().refused(404, 'GET', `/repos/acme/${other.toUpperCase()}`);
  });

  it('means the last reported repository where an address has several ids', async () => {
    const name = `acme/${fresh('repo')}`;
    const url = `https://github.com/${name}`;
    const [firstId, secondId] = [fresh('id'), fresh('id')];
    const described = async () => {
      const { repos } = await list(`name=${encodeURIComponent(name)}`);
      return Object.fromEntries(repos.map(({ repo_id, description }) => [String(repo_id), description]));
    };
    await info({ url, name, id: firstId, provider: 'github' });
    await info({ url, name, id: secondId, provider: 'github' });
    await info({ url, name, provider: 'github', description: 'of the second' });
    expect(await described()).toEqual({ [firstId]: null, [secondId]: 'of the second' });
    await info({ url, name, id: firstId, provider: 'github' });
    await info({ url, name, provider: 'github', description: 'of the first' });
    expect(await described()).toEqual({ [firstId]: 'of the first', [secondId]: 'of the second' });
  });

  it('adopts the id from a later report', async () => {
    const name = `acme/${fresh('repo')}`;
    await record({ repo_info: undefined, repo_url: `https://github.com/${name}` });
    const before = await get(name);
    await info({ url: `https://github.com/${name}`, name, id: fresh('id'), provider: 'github' });
    const { repos } = await list(`name=${name}`);
    expect(repos.map(({ id }) => id)).toEqual([before.id]);
    expect(repos[0]?.repo_id).not.toBeNull();
  });

  it('is one repository for many simultaneous reports, with its id and without', async () => {
    const name = `acme/${fresh('repo')}`;
    const url = `https://github.com/${name}`;
    const id = fresh('id');
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        i % 2 === 0
          ? info({ url, name, id, provider: 'github' })
          : record({ repo_info: undefined, repo_url: `${url}.git` }),
      ),
    );
    const { repos, total_count } = await list(`name=${encodeURIComponent(name)}`);
    expect([total_count, repos.map(({ repo_id }) => repo_id)]).toEqual([1, [id]]);
    await info({ url, name, id, provider: 'github' });
    expect(await list(`name=${encodeURIComponent(name)}`)).toMatchObject({ total_count: 1 });
  });

  it('separates repositories with different ids and one address, also in simultaneous reports', async () => {
    const name = `acme/${fresh('repo')}`;
    const ids = [fresh('id'), fresh('id'), fresh('id')];
    const url = `https://github.com/${name}`;
    await Promise.all([...ids, ...ids].map((id) => info({ url, name, id, provider: 'github' })));
    const { repos } = await list(`name=${encodeURIComponent(name)}`);
    expect(repos.map(({ repo_id }) => repo_id).sort()).toEqual([...ids].sort());
  });

  it('follows a repository that keeps its id under another name', async () => {
    const [id, old, now] = [fresh('id'), `acme/${fresh('repo')}`, `acme/${fresh('repo')}`];
    await info({ url: `https://github.com/${old}`, name: old, id, provider: 'github' });
    const before = await get(old);
    await info({ url: `https://github.com/${now}`, name: now, id, provider: 'github' });
    expect(await get(now)).toMatchObject({ id: before.id, name: now, url: `https://github.com/${now}`, repo_id: id });
    await caller().refused(404, 'GET', `/repos/acme/${old}`);
    await record({ repo_info: undefined, repo_url: `git@github.com:${now}.git` });
    await record({ repo_info: undefined, repo_url: `https://github.com/${old}` });
    expect(await get(now)).toMatchObject({ id: before.id, repo_id: id });
    await caller().refused(404, 'GET', `/repos/acme/${old}`);
  });

  it('has an address of at most 2,048 characters, also of dots alone', async () => {
    const address = (length: number) => 'https://'.padEnd(length, '.');
    const flowName = await flow(caller());
    const send = (status: number, fields: object) =>
      caller().expect<ErrorBody>(status, 'POST', `/artifacts/acme/${flowName}`, {
        json: artifact(digest(fresh('long')), { repo_info: undefined, ...fields }),
      });
    await send(201, { repo_url: address(2_048) });
    await send(201, { repo_info: { url: '.'.repeat(2_048) } });
    const long = 'Input should have at most 2048 characters';
    expect((await send(400, { repo_url: address(2_049) })).errors).toEqual({ repo_url: expect.stringContaining(long) });
    expect((await send(400, { repo_info: { url: address(2_049) } })).errors).toEqual({
      'repo_info.url': expect.stringContaining(long),
    });
  });

  it.each(['tags', 'filter-options'])('of the name %s, which a route has, is refused by the field', async (name) => {
    const flowName = await flow(caller());
    const json = artifact(digest(fresh('x')), { repo_info: { url: `https://git.example.com/${name}`, name } });
    const { errors } = await caller().refused(400, 'POST', `/artifacts/acme/${flowName}`, { json });
    expect(errors).toEqual({ 'repo_info.name': expect.stringContaining(`'owner/${name}'`) as string });
    expect((await list(`name=${name}`)).repos).toEqual([]);
  });

  it('asks for the id if several repositories share a name', async () => {
    const name = `acme/${fresh('repo')}`;
    const url = `https://github.com/${name}`;
    await info({ url, name, id: fresh('id'), provider: 'github' });
    await info({ url: `${url}2`, name, id: fresh('id'), provider: 'github' });
    const error = await caller().refused(400, 'GET', `/repos/acme/${name}`);
    expect(error.message).toMatch(`Multiple repos named '${name}' exist (github). Specify the 'provider'`);
    const ambiguous = await list(`name=${encodeURIComponent(name)}`);
    // What the text offers works for each of them.
    for (const { id } of ambiguous.repos) {
      expect(error.message).toContain(id);
      expect(await get(`${name}?id=${id}`)).toMatchObject({ id });
    }
    expect((await caller().refused(400, 'GET', `/repos/acme/${name}?provider=github`)).message).toContain(`the 'id': `);
    await info({ url: `https://git.example.com/${name}`, name, id: fresh('id') });
    expect(await get(`${name}?provider=none`)).toMatchObject({ provider: null });
    await info({ url: `https://gitlab.com/${name}`, name, id: fresh('id'), provider: 'gitlab' });
    expect((await caller().refused(400, 'GET', `/repos/acme/${name}`)).message).toContain('(github, gitlab, none)');
    expect(await get(`${name}?provider=gitlab`)).toMatchObject({ provider: 'gitlab' });
    expect(await caller().refused(404, 'GET', `/repos/acme/${name}?provider=bitbucket`)).toEqual({
      message: `Repo '${name}' not found`,
    });
  });

  it('is the one reported last where a repository was made anew at its address', async () => {
    const name = `acme/${fresh('anew')}`;
    const [oldId, newId] = [fresh('id'), fresh('id')];
    const report = (id: string) => info({ url: `https://github.com/${name}`, name, id, provider: 'github' });
    for (const id of [oldId, newId, oldId]) {
      await report(id);
      for (const query of ['', '?provider=github']) expect(await get(`${name}${query}`)).toMatchObject({ repo_id: id });
    }
  });

  it('accepts names of one segment and of many', async () => {
    for (const name of [
      fresh('single'),
      `group/sub/sub/${fresh('deep')}`,
      `gruppe/\u00fcber \u8336/${fresh('deep')}`,
    ]) {
      await info({ url: `https://gitlab.com/x/${name}`, name, id: fresh('id'), provider: 'gitlab' });
      expect(await get(encodeURI(name))).toMatchObject({ name });
      expect(await get(encodeURIComponent(name))).toMatchObject({ name });
    }
  });

  it('names the repository that does not exist', async () => {
    for (const name of ['acme/nothing', 'nothing', 'a/b/c/d', 'no%20thing']) {
      expect(await caller().refused(404, 'GET', `/repos/acme/${name}`)).toEqual({
        message: `Repo '${decodeURIComponent(name)}' not found`,
      });
    }
    const { message } = await caller().refused(
      404,
      'GET',
      '/repos/acme/acme/shop?id=018bcfe5-6800-7000-8000-000000000002',
    );
    expect(message).toMatch(/^Repo .* not found$/);
  });

  it('lists by name, in pages, filtered', async () => {
    const stem = fresh('Paged');
    const names = ['c', 'a', 'e', 'b', 'd'].map((letter) => `acme/${stem}-${letter}`);
    for (const name of names) {
      const [provider, host] = name.endsWith('a') ? ['gitlab', 'gitlab.com'] : ['github', 'github.com'];
      await info({ url: `https://${host}/${name}`, name, id: `${name}-id`, provider });
    }
    const sorted = [...names].sort();
    const seen = async (query: string) =>
      (await list(`search=${stem.toLowerCase()}&${query}`)).repos.map(({ name }) => name);
    expect(await seen('')).toEqual(sorted);
    expect(await seen('sort_direction=desc')).toEqual([...sorted].reverse());
    expect(await seen('page=1&per_page=2')).toEqual(sorted.slice(0, 2));
    expect(await seen('page=3&per_page=2')).toEqual(sorted.slice(4));
    expect(await seen('page=4&per_page=2')).toEqual([]);
    expect(await list(`search=${stem}&page=9&per_page=2`)).toMatchObject({
      repos: [],
      page: 9,
      total_pages: 3,
      total_count: 5,
    });
    expect(await seen('provider=gitlab')).toEqual([`acme/${stem}-a`]);
    expect(await seen('provider=nobody')).toEqual([]);
    expect(await seen(`repo_id=${encodeURIComponent(`acme/${stem}-c-id`)}`)).toEqual([`acme/${stem}-c`]);
    expect(await seen(`name=${stem}-a`)).toEqual([]);
    expect(await seen(`name=${encodeURIComponent(`acme/${stem}-e`)}`)).toEqual([`acme/${stem}-e`]);
  });

  it('lists only repositories of the organization', async () => {
    const other = world().withHeader('Bearer other-admin-key');
    expect(await other.get<RepoPage>('/repos/other')).toMatchObject({
      repos: [],
      page: 1,
      per_page: 15,
      total_pages: 0,
      total_count: 0,
    });
  });
});
