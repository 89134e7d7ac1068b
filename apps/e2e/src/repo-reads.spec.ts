import type { RepoFilterOptions, RepoLiveArtifacts, RepoPage } from '@assurance/contracts/flows/answers/repo';
import type { TagChoice } from '@assurance/contracts/http/answers/common';
import { eventually } from './support/eventually';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  item,
  policy,
  post,
  PROVENANCE,
  report,
  repository,
  sha1,
  YESTERDAY,
} from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const reader = () => world().as('reader');
  const idOf = async (name: string, provider = '') => {
    const query = `name=${encodeURIComponent(name)}&provider=${provider}`;
    const { repos } = await caller().get<RepoPage>(`/repos/acme?${query}`);
    if (repos[0] === undefined) throw new Error(`no repository ${name}`);
    return repos[0].id;
  };
  /** Records a repository with an artifact. */
  const record = async (repo_info: Readonly<Record<string, unknown>>, flowName?: string) => {
    const fingerprint = digest(fresh('artifact'));
    await post(caller(), flowName ?? (await flow(caller())), artifact(fingerprint, { repo_info }));
    return fingerprint;
  };
  const tag = (id: string, set_tags: object, remove_tags: string[] = []) =>
    caller().expect(200, 'PATCH', `/tags/acme/repos/${id}`, { json: { set_tags, remove_tags } });
  const live = (name: string, query = '') =>
    reader().get<RepoLiveArtifacts>(`/repos/acme/live-artifacts/${name}?${query}`);

  it('lists the tags of repositories once each, by key and value', async () => {
    const [firstRepo, secondRepo] = [repository(), repository()];
    for (const info of [firstRepo, secondRepo]) await record(info);
    const [first, second] = [await idOf(firstRepo.name), await idOf(secondRepo.name)];
    const key = fresh('team');
    await tag(first, { [key]: 'web', [`${key}-b`]: '1' });
    await tag(second, { [key]: 'api', [`${key}-b`]: '1' });
    const own = async () =>
      (await reader().get<TagChoice[]>('/repos/acme/tags')).filter((pair) => pair.key.startsWith(key));
    const { repos } = await reader().get<RepoPage>(`/repos/acme?tag=${key}:web`);
    expect(repos.map(({ id, tags }) => [id, tags])).toEqual([[first, { [key]: 'web', [`${key}-b`]: '1' }]]);
    expect(await own()).toEqual([
      { key, value: 'api' },
      { key, value: 'web' },
      { key: `${key}-b`, value: '1' },
    ]);
    await tag(first, {}, [key]);
    expect(await own()).toEqual([
      { key, value: 'api' },
      { key: `${key}-b`, value: '1' },
    ]);
  });

  it('gives the values of filters, each list without its own filter', async () => {
    const team = fresh('options');
    const create = async (host: string, groups: string[], provider: string) => {
      const name = [...groups, fresh('repo')].join('/');
      await record({ url: `https://${host}/${name}`, name, namespace_path: groups, provider });
      await tag(await idOf(name), { [team]: '1' });
    };
    await create(`one.${team}.example`, [team, 'web'], 'gitlab');
    await create(`one.${team}.example`, [team, 'api', 'deep'], 'gitlab');
    await create(`two.${team}.example`, [`${team}-other`, 'web'], 'bitbucket');
    const options = (query: string) =>
      reader().get<RepoFilterOptions>(`/repos/acme/filter-options?tag=${team}&${query}`);
    const hosts = [`one.${team}.example`, `two.${team}.example`];
    expect(await options('')).toEqual({
      providers: ['bitbucket', 'gitlab'],
      vcs_instances: hosts,
      namespace_values: [team, `${team}-other`],
    });
    expect(await options('provider=gitlab')).toEqual({
      providers: ['bitbucket', 'gitlab'],
      vcs_instances: [hosts[0]],
      namespace_values: [team],
    });
    expect(await options(`vcs_instance=${hosts[1]}`)).toEqual({
      providers: ['bitbucket'],
      vcs_instances: hosts,
      namespace_values: [`${team}-other`],
    });
    expect(await options(`namespace=${team}`)).toEqual({
      providers: ['gitlab'],
      vcs_instances: [hosts[0]],
      namespace_values: ['api', 'web'],
    });
    expect((await options(`namespace=${team}/api`)).namespace_values).toEqual(['deep']);
    const { errors } = await reader().refused(400, 'GET', '/repos/acme/filter-options?vcs=x');
    expect(errors).toEqual({ vcs: expect.stringContaining("Did you mean 'vcs_instance'") });
  });

  it('lists what of a repository runs now, with verdicts, environments and artifacts', async () => {
    const info = repository();
    const flowName = await flow(caller());
    const [first, second, removed] = [
      await record(info, flowName),
      await record(info, flowName),
      await record(info, flowName),
    ];
    const stranger = await record(repository(), flowName);
    const [env, judged] = [await environment(caller()), await environment(caller())];
    await attach(caller(), judged, await policy(caller(), PROVENANCE));
    await report(caller(), env, [item({ 'shop/gone:1': removed }), item({ 'shop/other:1': stranger })]);
    await report(caller(), env, [item({ 'shop/web:1': first }), item({ 'shop/other:1': stranger })]);
    await report(caller(), judged, [item({ 'shop/api:1': second }), item({ 'shop/web:1': first })]);
    const answer = await live(info.name);
    const { environments, artifacts } = answer._embedded;
    const [own, other] = [env, judged].map((name) =>
      environments.find((environmentItem) => environmentItem.name === name),
    );
    const idBy = (fingerprint: string) => artifacts.find((artifact) => artifact.fingerprint === fingerprint)?.id;
    expect(answer.live_artifacts).toEqual(
      [
        [own, first, 'shop/web:1', 2, null],
        [other, second, 'shop/api:1', 1, 'COMPLIANT'],
        [other, first, 'shop/web:1', 1, 'COMPLIANT'],
      ].map(([place, fingerprint, name, snapshot, compliance]) => ({
        environment_id: (place as { id: string }).id,
        artifact_id: idBy(fingerprint as string),
        artifact_name: name,
        snapshot_index: snapshot,
        compliance,
        started_at: snapshot === 2 ? expect.any(Number) : YESTERDAY,
        _links: { snapshot: expect.stringContaining(`/snapshots/acme/${(place as { name: string }).name}/`) },
      })),
    );
    expect(artifacts.map(({ fingerprint, commit_sha }) => [fingerprint, commit_sha]).sort()).toEqual(
      [first, second].map((repo) => [repo, sha1(repo)]).sort(),
    );
    for (const address of [answer._links.self, answer._links.repo, environments[0]?._links.self]) {
      const path = new URL(address ?? '').pathname + new URL(address ?? '').search;
      expect((await reader().sendRaw('GET', path)).status).toBe(200);
    }
    await report(caller(), env, []);
    await caller().expect(200, 'PUT', `/environments/acme/${judged}/archive`);
    expect((await live(info.name)).live_artifacts).toEqual([]);
    await caller().refused(404, 'GET', '/repos/acme/live-artifacts/acme/nobody');
    await caller().refused(404, 'GET', `/repos/acme/live-artifacts/${info.name}?provider=gitlab`);
  });

  it('shows provenance that arrived after the start, and the youngest of several repositories with one name', async () => {
    const name = `acme/${fresh('twice')}`;
    const [older, younger] = ['github.com', 'git.example.com'].map((host) => ({
      url: `https://${host}/${name}`,
      name,
      id: fresh('id'),
      provider: host === 'github.com' ? 'github' : 'gitlab',
    }));
    const env = await environment(caller());
    const [earlier, later] = [digest(fresh('late')), digest(fresh('late'))];
    await report(caller(), env, [item({ 'shop/one:1': earlier }), item({ 'shop/two:1': later })]);
    const flowName = await flow(caller());
    await post(caller(), flowName, artifact(earlier, { repo_info: older }));
    await post(caller(), flowName, artifact(later, { repo_info: younger }));
    const names = async (query: string) => (await live(name, query)).live_artifacts.map((each) => each.artifact_name);
    // The snapshot that takes the provenance up is made in the background.
    expect(
      await eventually(
        () => names(''),
        ({ length }) => length > 0,
      ),
    ).toEqual(['shop/two:1']);
    await eventually(
      () => names('provider=github'),
      ({ length }) => length > 0,
    );
    expect(await names('provider=github')).toEqual(['shop/one:1']);
    expect(await names(`id=${await idOf(name, 'github')}`)).toEqual(['shop/one:1']);
  });

  it('leaves paths of repositories with such names as they were', async () => {
    const name = fresh('live-artifacts');
    await record({ url: `https://git.example.com/tags/${name}`, name: `tags/${name}`, provider: 'gitlab' });
    expect(await reader().get(`/repos/acme/tags/${name}`)).toMatchObject({ name: `tags/${name}` });
  });
});
