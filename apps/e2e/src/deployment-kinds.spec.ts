import type { DetailedDeployment, DetailedDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { DeploymentMetrics } from '@assurance/contracts/deployments/answers/metrics';
import { artifact, digest, environment, flow, item, post, repository, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

const DAY = 86_400;
const HOUR = 3_600;

onEveryDeployment((world) => {
  const admin = () => world().as('admin');
  /** Reports what runs, one minute after the report before. */
  const reporting = async () => {
    const env = await environment(admin());
    let at = YESTERDAY;
    const report = async (...runs: readonly (readonly [name: string, created: number])[]) => {
      at += 60;
      const artifacts = runs.map(([name, created]) => item({ [name]: digest(`${env} ${name}`) }, created));
      const path = `/environments/acme/${env}/report/docker?observed_at=${at}`;
      await admin().expect(200, 'PUT', path, { json: { artifacts } });
      return at;
    };
    return { env, report, print: (name: string) => digest(`${env} ${name}`) };
  };
  const list = async (env: string, query = ''): Promise<readonly DetailedDeployment[]> => {
    const path = `/deployments/acme/detailed?env_name=${env}&start_ts=${YESTERDAY - 100 * DAY}&${query}`;
    return (await admin().get<DetailedDeploymentPage>(path)).deployments;
  };
  const kinds = async (env: string) =>
    (await list(env)).map((deployment) => [deployment.artifact_name, deployment.kind]);
  const totals = async (env: string) => {
    const path = `/deployments/acme/metrics?env_name=${env}&start_ts=${YESTERDAY - 100 * DAY}`;
    const { totals: result } = await admin().get<DeploymentMetrics>(path);
    return [result.deployments, result.rollbacks, result.lead_time?.count ?? 0];
  };
  const built = async (flowName: string, fingerprint: string, committed: number, repo_info = repository()) => {
    const body = artifact(fingerprint, { repo_info });
    await post(admin(), flowName, { ...body, git_commit_info: { ...body.git_commit_info, timestamp: committed } });
  };

  it('are restarts for a rescheduled pod, and for scaling to zero again and again', async () => {
    const [{ env, report, print }, flowName] = [await reporting(), await flow(admin())];
    await built(flowName, print('shop:1'), YESTERDAY - 90 * DAY);
    await report();
    await report(['shop:1', 0]);
    expect(await totals(env)).toEqual([1, 0, 1]);
    for (let i = 0; i < 5; i += 1) {
      await report();
      await report(['shop:1', 0]);
    }
    expect(await kinds(env)).toEqual([...Array<unknown>(5).fill(['shop:1', 'restart']), ['shop:1', 'first']]);
    expect(await totals(env)).toEqual([1, 0, 1]);
  });

  it('are rollbacks for what returns after a later one, and redeployments for that, without their lead times', async () => {
    const [{ env, report, print }, flowName, repo] = [await reporting(), await flow(admin()), repository()];
    await built(flowName, print('web:1'), YESTERDAY - 40 * DAY, repo);
    await built(flowName, print('web:2'), YESTERDAY - HOUR, repo);
    for (const runs of [[], ['web:1'], ['web:2'], ['web:1'], ['web:2']]) {
      // An old container starts again.
      await report(...runs.map((name) => [name, YESTERDAY - 50 * DAY] as const));
    }
    expect(await kinds(env)).toEqual([
      ['web:2', 'redeployment'],
      ['web:1', 'rollback'],
      ['web:2', 'first'],
      ['web:1', 'first'],
    ]);
    expect(await totals(env)).toEqual([4, 1, 2]);
    const [{ deployed_at } = { deployed_at: 0 }] = await list(env, 'kind=rollback');
    expect(deployed_at).toBeGreaterThanOrEqual(YESTERDAY);
    expect((await list(env, 'kind=rollback&kind=redeployment')).length).toBe(2);
  });

  it('are baselines for what ran when reporting began, and again after a revival', async () => {
    const [{ env, report, print }, flowName] = [await reporting(), await flow(admin())];
    await built(flowName, print('old:1'), YESTERDAY - 60 * DAY);
    await report(['old:1', YESTERDAY - 50 * DAY], ['other:1', 0]);
    expect(await totals(env)).toEqual([0, 0, 0]);
    await admin().expect(200, 'PUT', `/environments/acme/${env}/archive`, {});
    await environmentAgain(env);
    await report(['old:1', YESTERDAY - 50 * DAY], ['new:1', 0]);
    await report(['old:1', YESTERDAY - 50 * DAY], ['next:1', 0]);
    expect(Object.fromEntries(await kinds(env))).toEqual({
      'old:1': 'baseline',
      'other:1': 'baseline',
      'new:1': 'baseline',
      'next:1': 'first',
    });
    expect(await totals(env)).toEqual([1, 0, 0]);
  });

  it('change when it becomes known that two of one name are of two repositories', async () => {
    const [{ env, report, print }, flowName] = [await reporting(), await flow(admin())];
    for (const runs of [[], ['app:1'], ['app:2'], ['app:1']]) {
      await report(...runs.map((name) => [name, 0] as const));
    }
    expect((await kinds(env))[0]).toEqual(['app:1', 'rollback']);
    const replaced = async () =>
      (await list(env)).map((deployment) => deployment.replaced_artifact?.fingerprint ?? null);
    expect(await replaced()).toEqual([print('app:2'), print('app:1'), null]);
    await built(flowName, print('app:1'), YESTERDAY - HOUR);
    await built(flowName, print('app:2'), YESTERDAY - HOUR);
    expect((await kinds(env))[0]).toEqual(['app:1', 'restart']);
    expect(await replaced()).toEqual([null, null, null]);
    expect(await totals(env)).toEqual([2, 0, 2]);
  });

  it('have no lead time where the time of the commit is unknown', async () => {
    const [{ env, report, print }, flowName] = [await reporting(), await flow(admin())];
    for (const [i, committed] of [0, 315_532_800].entries()) {
      await report();
      await built(flowName, print(`c0:${i}`), committed);
      await report([`c0:${i}`, 0]);
    }
    for (const deployment of await list(env)) expect(deployment).not.toHaveProperty('lead_time');
    expect(await totals(env)).toEqual([2, 0, 0]);
  });

  it('are those of its members for a logical environment', async () => {
    const [firstEnv, secondEnv] = [await reporting(), await reporting()];
    for (const { report } of [firstEnv, secondEnv]) {
      await report();
      await report(['web:1', 0]);
    }
    const logical = await environment(admin(), {
      type: 'logical',
      included_environments: [firstEnv.env, secondEnv.env],
    });
    const names = new Set((await list(logical)).map(({ env_name }) => env_name));
    expect(names).toEqual(new Set([firstEnv.env, secondEnv.env]));
    expect(await totals(logical)).toEqual([2, 0, 0]);
    const query = `/deployments/acme?env_name=${logical}`;
    expect(await admin().get<DetailedDeploymentPage>(query)).toMatchObject({ total_count: 2 });
  });

  it('refuse a kind that does not exist', async () => {
    const { errors } = await admin().refused(400, 'GET', '/deployments/acme/detailed?kind=second');
    expect(Object.keys(errors ?? {})).toEqual(['kind']);
  });

  const environmentAgain = (name: string) =>
    admin().expect(200, 'PUT', '/environments/acme', { json: { name, type: 'docker', description: '' } });
});
