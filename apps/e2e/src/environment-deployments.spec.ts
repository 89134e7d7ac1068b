import type { DetailedDeployment, DetailedDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type {
  DeploymentFrequency,
  RepoDeploymentStatistics,
} from '@assurance/contracts/deployments/answers/statistics';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import type { TrailAnswer } from '@assurance/contracts/flows/answers/trail';
import {
  artifact,
  digest,
  environment,
  flow,
  fresh,
  item,
  post,
  report,
  repository,
  YESTERDAY,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const DAY = 24 * 3600;

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const list = (env: string, query = '') =>
    caller().get<DetailedDeploymentPage>(`/environments/acme/${env}/deployments?${query}`);
  const deploymentOf = (env: string, fingerprint: string) =>
    caller().get<DetailedDeployment>(`/deployments/acme/${env}/${fingerprint}`);
  const frequency = (env: string, query = '') =>
    caller().get<DeploymentFrequency>(`/environments/acme/${env}/deployment_frequency?${query}`);
  const statistics = (repo: string, query = '') =>
    caller().get<RepoDeploymentStatistics>(`/repos/acme/${repo}/deployment-statistics?${query}`);
  const kinds = ({ deployments }: DetailedDeploymentPage) =>
    deployments.map(({ artifact_name, kind }) => [artifact_name, kind]);
  /** An environment in which these names ran, each alone and each a digest of its own; the first report is empty. */
  const reporting = async (...names: readonly string[]) => {
    const env = await environment(caller());
    const print = (name: string) => digest(`${env} ${name}`);
    await report(caller(), env, []);
    for (const name of names) await report(caller(), env, [item({ [name]: print(name) }, 0)]);
    return { env, print };
  };
  const repoId = async (name: string) => {
    const { repos } = await caller().get<RepoPage>(`/repos/acme?name=${encodeURIComponent(name)}`);
    return repos[0]?.id ?? '';
  };

  it('lists the deployments to an environment, newest first, by pages that can be followed', async () => {
    const { env, print } = await reporting('web:1', 'web:2', 'web:1');
    const page = await list(env);
    expect(page).toMatchObject({ page: 1, per_page: 50, total_pages: 1, total_count: 3 });
    expect(kinds(page)).toEqual([
      ['web:1', 'rollback'],
      ['web:2', 'first'],
      ['web:1', 'first'],
    ]);
    expect(page.deployments[0]).toEqual({
      fingerprint: print('web:1'),
      artifact_name: 'web:1',
      env_name: env,
      snapshot_index: 3,
      kind: 'rollback',
      deployed_at: expect.any(Number),
      compliance: null,
      commit: null,
      diff_url: null,
      replaced_artifact: expect.objectContaining({ fingerprint: print('web:2'), snapshot_index: 2 }),
      _links: { snapshot: expect.anything() },
    });
    const results: unknown[] = [];
    for (let query = 'page_size=1'; ;) {
      const some = await list(env, query);
      expect([some.per_page, some.total_pages, some.total_count]).toEqual([1, 3, 3]);
      results.push(...kinds(some));
      const { next } = some._links ?? {};
      if (next === undefined) break;
      expect(new URL(next).pathname).toBe(`/api/v2/environments/acme/${env}/deployments`);
      query = new URL(next).search.slice(1);
    }
    expect(results).toEqual(kinds(page));
    const logical = await environment(caller(), { type: 'logical', included_environments: [env] });
    expect(kinds(await list(logical))).toEqual(kinds(page));
  });

  it('shows the last 30 days unless it is asked for others', async () => {
    const env = await environment(caller());
    const [old, young] = [YESTERDAY - 40 * DAY, YESTERDAY - 20 * DAY];
    await report(caller(), env, [
      item({ 'old:1': digest(`${env} old`) }, old),
      item({ 'young:1': digest(`${env} young`) }, young),
    ]);
    const namesOf = async (query: string) => (await list(env, query)).deployments.map((each) => each.artifact_name);
    const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();
    expect(await namesOf('')).toEqual(['young:1']);
    expect(await namesOf('from=&to=null')).toEqual(['young:1']);
    expect(await namesOf('from=2000-01-01')).toEqual(['young:1', 'old:1']);
    expect(await namesOf(`to=${iso(young - 1)}`)).toEqual(['old:1']);
    expect(await namesOf(`from=${iso(old)}&to=${iso(old)}`)).toEqual(['old:1']);
    expect(await namesOf(`from=${iso(old + 1).replace('.000Z', '')}`)).toEqual(['young:1']);
    // The same moment in another time zone, with a plus that was not escaped.
    const berlin = iso(old + 3_600).replace('.000Z', '+01:00');
    expect(await namesOf(`from=${berlin}&to=${berlin}`)).toEqual(['old:1']);
    const { _links } = await list(env, `from=${iso(old)}&to=${iso(young)}`);
    expect(new URL(_links?.self ?? '').searchParams.get('from')).toBe(iso(old));
  });

  it.each([
    ['from=yesterday', 'from'],
    ['from=1700000000', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=2026-02-02&to=2026-02-01', 'from'],
    ['page_size=0', 'page_size'],
    ['page_size=101', 'page_size'],
    ['start_ts=1', 'start_ts'],
  ])('refuses %s by name', async (query, field) => {
    const env = await environment(caller());
    const { errors } = await caller().refused(400, 'GET', `/environments/acme/${env}/deployments?${query}`);
    expect(Object.keys(errors ?? {})).toEqual([field]);
  });

  it('answers the newest deployment of an artifact to an environment', async () => {
    const { env, print } = await reporting('web:1', 'web:2', 'web:1');
    const [newest] = (await list(env)).deployments;
    expect(await deploymentOf(env, print('web:1'))).toEqual(newest);
    expect(await deploymentOf(env, `sha256:${print('web:1').toUpperCase()}`)).toEqual(newest);
    expect(await deploymentOf(env, print('web:2'))).toMatchObject({ kind: 'first', snapshot_index: 2 });
    const logical = await environment(caller(), { type: 'logical', included_environments: [env] });
    expect(await deploymentOf(logical, print('web:1'))).toEqual(newest);
    const never = digest('never');
    expect(await caller().refused(404, 'GET', `/deployments/acme/${env}/${never}`)).toEqual({
      message: `Artifact with fingerprint '${never}' was never deployed to environment '${env}'`,
    });
  });

  it('answers how often something was deployed, in all and of one flow', async () => {
    const env = await environment(caller());
    const [own, other] = [await flow(caller()), await flow(caller())];
    await report(caller(), env, []);
    for (const [name, flowName] of [
      ['web:1', own],
      ['api:1', other],
      ['web:2', own],
    ] as const) {
      const fingerprint = digest(`${env} ${name}`);
      await post(caller(), flowName, artifact(fingerprint, { trail_name: 'build' }));
      await report(caller(), env, [item({ [name]: fingerprint }, 0)]);
    }
    await report(caller(), env, [item({ 'bare:1': digest(`${env} bare`) }, 0)]);
    const trail = await caller().get<TrailAnswer>(`/trails/acme/${own}/build`);
    const id = trail.events[0]?.flow_id ?? '';
    const all = await frequency(env);
    expect(all).toEqual({
      env_name: env,
      flow_id: null,
      start_ts: expect.any(Number),
      end_ts: expect.any(Number),
      deployments: 4,
      deployments_per_day: 4 / 28,
    });
    expect(all.end_ts - all.start_ts).toBeCloseTo(28 * DAY, 3);
    expect(await frequency(env, `flow_id=${id}`)).toMatchObject({
      flow_id: id,
      deployments: 2,
      deployments_per_day: 2 / 28,
    });
    const elsewhere = await environment(caller());
    expect(await frequency(elsewhere, `flow_id=${id}`)).toMatchObject({ deployments: 0, deployments_per_day: 0 });
    expect(await frequency(env, 'flow_id=nobody')).toMatchObject({ deployments: 0 });
  });

  it('answers when artifacts of a repository were deployed, with lead times of first deployments', async () => {
    const [info, flowName] = [repository(), await flow(caller())];
    const built = async (name: string, timestamp: number) => {
      const fingerprint = digest(fresh(name));
      const commit = { ...artifact(fingerprint).git_commit_info, timestamp };
      await post(caller(), flowName, artifact(fingerprint, { repo_info: info, git_commit_info: commit }));
      return fingerprint;
    };
    const now = Math.floor(Date.now() / 1_000);
    const [first, second] = [await built('web', now - DAY), await built('web', now - 7_200)];
    const [env, other, baseline] = [
      await environment(caller()),
      await environment(caller()),
      await environment(caller()),
    ];
    await report(caller(), baseline, [item({ 'web:1': first })]);
    for (const place of [env, other]) await report(caller(), place, []);
    for (const [place, name, fingerprint] of [
      [env, 'web:1', first],
      [env, 'web:2', second],
      [env, 'web:1', first],
      [other, 'web:1', first],
    ] as const) {
      await report(caller(), place, [item({ [name]: fingerprint }, 0)]);
    }
    const id = await repoId(info.name);
    const answer = await statistics(id);
    expect(answer.total_count).toBe(4);
    expect(answer.end_ts - answer.start_ts).toBeCloseTo(28 * DAY, 0);
    const [own, others] = [env, other].map((name) => answer.environments.find((each) => each.env_name === name));
    expect(answer.environments.map(({ env_name }) => env_name)).toEqual([env, other].sort());
    const deployments = (await list(env)).deployments;
    expect(own?.deployed_at).toEqual(deployments.map(({ deployed_at }) => deployed_at));
    // The rollback has none.
    expect(own?.lead_time_seconds).toEqual(deployments.slice(1).map(({ lead_time }) => lead_time));
    expect([others?.deployed_at.length, others?.lead_time_seconds.length]).toEqual([1, 1]);
    expect((await statistics(id, `env=${other}`)).environments).toEqual([others]);
    expect(await statistics(id, `env=${other}&env=nobody&start_ts=0`)).toMatchObject({ total_count: 1, start_ts: 0 });
    expect(await statistics(id, 'env=nobody')).toMatchObject({ total_count: 0, environments: [] });
    expect(await statistics(id, 'start_ts=1&end_ts=2')).toEqual({
      start_ts: 1,
      end_ts: 2,
      total_count: 0,
      environments: [],
    });
    expect(await caller().refused(404, 'GET', '/repos/acme/nobody/deployment-statistics')).toEqual({
      message: 'Repo not found',
    });
  });

  it('answers 404 for unknown and archived environments', async () => {
    const archived = await environment(caller());
    await caller().expect(200, 'PUT', `/environments/acme/${archived}/archive`);
    for (const [name, text] of [
      ['nobody', 'does not exist'],
      [archived, 'has been archived'],
    ] as const) {
      for (const path of [
        `/environments/acme/${name}/deployments`,
        `/environments/acme/${name}/deployment_frequency`,
        `/deployments/acme/${name}/${digest('x')}`,
      ]) {
        expect(await caller().refused(404, 'GET', path)).toEqual({ message: expect.stringContaining(text) });
      }
    }
  });
});
