import type { OrgDeploymentPage, RepoDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import {
  artifact,
  digest,
  environment,
  flow,
  item,
  post,
  report,
  repository,
  sha1,
  YESTERDAY,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const DAY = 24 * 3600;

onEveryDeployment((world) => {
  // The writer reads, because lists contain only a caller's own writes at once.
  const caller = () => world().as('member');
  const all = (query: string) => caller().get<OrgDeploymentPage>(`/deployments/acme?${query}`);
  const ofRepo = (repo: string, query = '') =>
    caller().get<RepoDeploymentPage>(`/repos/acme/${repo}/deployments?${query}`);
  const idOf = async (name: string) => {
    const { repos } = await caller().get<RepoPage>(`/repos/acme?name=${encodeURIComponent(name)}`);
    if (repos[0] === undefined) throw new Error(`no repository ${name}`);
    return repos[0].id;
  };
  /** One environment, and one artifact with provenance that runs in it since `at`. */
  const deployed = async (at = YESTERDAY) => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    const fingerprint = digest(env);
    await post(caller(), flowName, artifact(fingerprint, { repo_info }));
    await report(caller(), env, [item({ 'shop/web:1': fingerprint }, at)]);
    return { env, flowName, fingerprint, repo_info, repo: await idOf(repo_info.name) };
  };

  it('shows a deployment in both lists, each in its own shape', async () => {
    const { env, flowName, fingerprint, repo } = await deployed();
    const page = await all(`env_name=${env}`);
    expect(page).toMatchObject({ page: 1, per_page: 15, total_pages: 1, total_count: 1 });
    expect(Object.keys(page).sort()).toEqual([
      '_links',
      'deployments',
      'page',
      'per_page',
      'total_count',
      'total_pages',
    ]);
    const api = (page._links?.self ?? '').split('/deployments')[0] ?? '';
    const host = api.replace('/api/v2', '');
    const same = {
      fingerprint,
      deployed_at: YESTERDAY,
      artifact_name: 'shop/web:1',
      env_name: env,
      snapshot_index: 1,
      _links: {
        artifact: {
          self: `${api}/artifacts/acme/${flowName}/fingerprint/${fingerprint}`,
          html: expect.stringMatching(
            new RegExp(`^${host}/acme/flows/${flowName}/artifacts/${fingerprint}\\?artifact_id=`),
          ),
        },
        snapshot: { self: `${api}/snapshots/acme/${env}/1`, html: `${host}/acme/environments/${env}/snapshots/1` },
      },
    };
    expect(page.deployments).toEqual([{ ...same, lead_time: 600 }]);
    const repoPage = await ofRepo(repo);
    expect(Object.keys(repoPage).sort()).toEqual(Object.keys(page).sort());
    expect(repoPage.deployments).toEqual([
      {
        ...same,
        compliance: null,
        commit: {
          sha1: sha1(fingerprint),
          message: 'Sell tea',
          author: 'Ada <ada@example.com>',
          branch: 'main',
          timestamp: YESTERDAY - 600,
          url: expect.any(String),
        },
        replaced_artifact: null,
        diff_url: null,
      },
    ]);
  });

  it('shows a deployment without provenance, without lead time and artifact link', async () => {
    const env = await environment(caller());
    await report(caller(), env, [item({ 'a:1': digest(env) })]);
    const [result] = (await all(`env_name=${env}`)).deployments;
    expect(result).not.toHaveProperty('lead_time');
    expect(result?._links).not.toHaveProperty('artifact');
    expect(result?._links).toHaveProperty('snapshot');
  });

  it('is completed by provenance that arrives after the deployment', async () => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    const fingerprint = digest(env);
    await report(caller(), env, [item({ 'shop/web:1': fingerprint })]);
    expect((await all(`env_name=${env}`)).deployments[0]).not.toHaveProperty('lead_time');
    await post(caller(), flowName, artifact(fingerprint, { repo_info }));
    expect((await all(`env_name=${env}`)).deployments).toMatchObject([
      { fingerprint, lead_time: 600, snapshot_index: 1 },
    ]);
    const { deployments } = await ofRepo(await idOf(repo_info.name));
    expect(deployments).toMatchObject([{ fingerprint, commit: { sha1: sha1(fingerprint) }, deployed_at: YESTERDAY }]);
  });

  it('leaves the lead time out if the commit has no time', async () => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    const fingerprint = digest(env);
    await post(caller(), flowName, artifact(fingerprint, { repo_info, git_commit_info: null }));
    await report(caller(), env, [item({ 'shop/web:1': fingerprint })]);
    expect((await all(`env_name=${env}`)).deployments[0]).not.toHaveProperty('lead_time');
    const [result] = (await ofRepo(await idOf(repo_info.name))).deployments;
    expect(result?.commit).toMatchObject({ sha1: sha1(fingerprint), timestamp: null });
  });

  it('takes commit and repository from the first report', async () => {
    const { env, fingerprint, repo } = await deployed();
    const [second, other] = [await flow(caller()), repository()];
    const young = sha1('young');
    const git_commit_info = { sha1: young, timestamp: YESTERDAY + 100 };
    await post(caller(), second, artifact(fingerprint, { repo_info: other, git_commit: young, git_commit_info }));
    expect((await all(`env_name=${env}`)).deployments).toMatchObject([{ lead_time: 600 }]);
    expect((await ofRepo(repo)).total_count).toBe(1);
    expect((await ofRepo(await idOf(other.name))).total_count).toBe(0);
  });

  it('counts from the earliest instance, else from the snapshot', async () => {
    const env = await environment(caller());
    const [a, b] = [digest(`${env} a`), digest(`${env} b`)];
    await report(caller(), env, [
      item({ 'a:1': a }, YESTERDAY + 9),
      item({ 'a:0': a }, YESTERDAY),
      item({ 'b:1': b }, 0),
    ]);
    const [newest, other, ...more] = (await all(`env_name=${env}`)).deployments;
    expect(more).toEqual([]);
    expect(other).toMatchObject({ fingerprint: a, deployed_at: YESTERDAY, artifact_name: 'a:0' });
    expect(newest).toMatchObject({ fingerprint: b });
    expect(Math.abs((newest?.deployed_at ?? 0) - Date.now() / 1000)).toBeLessThan(20);
  });

  it('does not count scaling, exits or another name as a deployment', async () => {
    const env = await environment(caller(), { include_scaling: true });
    const a = digest(env);
    await report(caller(), env, [item({ 'a:1': a })]);
    await report(caller(), env, [item({ 'a:1': a }), item({ 'a:1': a })]);
    await report(caller(), env, [item({ 'a:1': a, 'a:2': a })]);
    await report(caller(), env, [item({ 'a:2': a })]);
    expect((await all(`env_name=${env}`)).total_count).toBe(1);
    await report(caller(), env, []);
    await report(caller(), env, [item({ 'a:2': a }, YESTERDAY + 60)]);
    const { deployments } = await all(`env_name=${env}`);
    expect(deployments.map(({ snapshot_index }) => snapshot_index)).toEqual([5, 1]);
  });

  it('orders by time, then snapshot, then environment and fingerprint', async () => {
    const envs = [await environment(caller()), await environment(caller())];
    const at = YESTERDAY - 20 * DAY;
    for (const env of envs) {
      const observed = (time: number, ...artifacts: readonly object[]) =>
        world()
          .as('admin')
          .expect(200, 'PUT', `/environments/acme/${env}/report/docker?observed_at=${time}`, { json: { artifacts } });
      await observed(at, item({ x: digest(`${env} 1`) }, at));
      const second = ['x', 'y', 'z'].map((name) => item({ [name]: digest(`${env} 2${name}`) }, at));
      await observed(at + 1, ...second, item({ w: digest(`${env} w`) }, at + 1));
    }
    const { deployments } = await world()
      .as('admin')
      .get<OrgDeploymentPage>(`/deployments/acme?start_ts=${at}&end_ts=${at + 1}&per_page=50`);
    const key = (deployment: (typeof deployments)[number]) => [
      deployment.deployed_at,
      deployment.snapshot_index,
      deployment.env_name,
      deployment.fingerprint,
    ];
    const sorted = [...deployments].sort(
      (p, q) =>
        q.deployed_at - p.deployed_at ||
        (q.snapshot_index ?? 0) - (p.snapshot_index ?? 0) ||
        (p.env_name ?? '').localeCompare(q.env_name ?? '', 'en') ||
        (p.fingerprint < q.fingerprint ? -1 : 1),
    );
    expect(deployments).toHaveLength(10);
    expect(deployments.map(key)).toEqual(sorted.map(key));
  });

  it('filters by environment and repository', async () => {
    const [first, second] = [await deployed(), await deployed()];
    const envs = async (query: string) => (await all(query)).deployments.map(({ env_name }) => env_name);
    expect(await envs(`repo_name=${encodeURIComponent(first.repo_info.name)}`)).toEqual([first.env]);
    expect(await envs(`repo_name=${encodeURIComponent(first.repo_info.name)}&env_name=${second.env}`)).toEqual([]);
    expect(await envs('repo_name=no/body')).toEqual([]);
    expect(await envs('env_name=nowhere')).toEqual([]);
    expect(await envs(`env_name=${first.env.toUpperCase()}`)).toEqual([]);
    expect((await ofRepo(first.repo, `env=${first.env}&env=${second.env}&env=nowhere`)).total_count).toBe(1);
    expect((await ofRepo(first.repo, `env=${second.env}`)).total_count).toBe(0);
    expect((await ofRepo(first.repo, `env=nowhere`)).deployments).toEqual([]);
  });

  it('filters by tags of environments: all must match, and a logical one means its members', async () => {
    const [first, second] = [await deployed(), await deployed()];
    const team = `team-${first.env}`;
    const tag = (env: string, set_tags: object) =>
      caller().expect(200, 'PATCH', `/tags/acme/environment/${env}`, { json: { set_tags } });
    await tag(first.env, { [team]: 'tea', tier: 'a:b' });
    await tag(second.env, { [team]: 'cake' });
    const envs = async (query: string) => {
      const results = (await all(query)).deployments.map(({ env_name }) => env_name);
      const { deployments } = await caller().get<OrgDeploymentPage>(`/deployments/acme/detailed?${query}`);
      expect(deployments.map(({ env_name }) => env_name)).toEqual(results);
      return results.sort();
    };
    expect(await envs(`tag=${team}`)).toEqual([first.env, second.env].sort());
    expect(await envs(`tag=${team}:tea`)).toEqual([first.env]);
    expect(await envs(`tag=${team}&tag=tier:a:b`)).toEqual([first.env]);
    expect(await envs(`tag=${team}:cake&tag=tier`)).toEqual([]);
    expect(await envs(`tag=${team}&env_name=${second.env}`)).toEqual([second.env]);
    expect(await envs(`tag=${team}:tea&env_name=${second.env}`)).toEqual([]);
    expect(await envs(`tag=${team}:nobody`)).toEqual([]);
    const logical = await environment(caller(), { type: 'logical', included_environments: [second.env] });
    await tag(logical, { 'seen-as': team });
    expect(await envs(`tag=seen-as:${team}`)).toEqual([second.env]);
    await caller().expect(200, 'PUT', `/environments/acme/${first.env}/archive`);
    expect(await envs(`tag=${team}:tea`)).toEqual([first.env]);
    const { _links } = await all(`tag=${team}&tag=tier&per_page=1`);
    expect(new URL(_links?.self ?? '').searchParams.getAll('tag')).toEqual([team, 'tier']);
    expect(Object.keys((await caller().refused(400, 'GET', '/deployments/acme?tag=')).errors ?? {})).toEqual(['tag']);
  });

  it('finds a repository by internal id, or all repositories with a one-segment name', async () => {
    const name = `single-${Date.now()}`;
    const env = await environment(caller());
    const reports = [];
    for (const n of [1, 2]) {
      const fingerprint = digest(`${env} ${n}`);
      const repo_info = { url: `https://github.com/x${n}/${name}`, name, id: `${name}-${n}`, provider: 'github' };
      await post(caller(), await flow(caller()), artifact(fingerprint, { repo_info }));
      reports.push(item({ [`a${n}`]: fingerprint }));
    }
    await report(caller(), env, reports);
    expect((await ofRepo(name)).total_count).toBe(2);
    expect((await ofRepo(await idOf(name))).total_count).toBe(1);
    expect((await all(`repo_name=${name}`)).total_count).toBe(2);
    expect(await caller().refused(404, 'GET', '/repos/acme/nothing/deployments')).toEqual({
      message: 'Repo not found',
    });
  });
});
