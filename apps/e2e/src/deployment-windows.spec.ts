import type { OrgDeployment, OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { DeploymentMetrics } from '@assurance/contracts/deployments/answers/metrics';
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

/** What counts as one deployment, and in which windows and filters it is. */
onEveryDeployment((world) => {
  const caller = () => world().as('admin');
  const page = (query: string) => caller().get<OrgDeploymentPage>(`/deployments/acme?${query}`);
  const list = async (query: string): Promise<readonly OrgDeployment[]> => (await page(query)).deployments;
  const built = async (flowName: string, fingerprint: string, committed: number, repo_info = repository()) => {
    const body = artifact(fingerprint, { repo_info, trail_name: fresh('trail') });
    await post(caller(), flowName, { ...body, git_commit_info: { ...body.git_commit_info, timestamp: committed } });
  };

  it('exists for each fingerprint of a pod, sidecars included, with its own lead time and repository', async () => {
    const [env, flowName] = [await environment(caller(), { type: 'K8S' }), await flow(caller())];
    const names = ['api', 'worker', 'admin', 'sidecar'];
    const repos = names.map(() => repository());
    const print = (name: string) => digest(`${env} ${name}`);
    for (const [i, name] of names.entries()) {
      await built(flowName, print(name), YESTERDAY - 100 * (i + 1), repos[i]);
    }
    const digests = Object.fromEntries(names.map((name) => [`${name}:1`, print(name)]));
    const pod = { podName: 'shop-1', namespace: 'shop', owners: null, digests, creationTimestamp: YESTERDAY };
    await caller().expect(200, 'PUT', `/environments/acme/${env}/report/K8S`, { json: { artifacts: [pod] } });
    const results = new Map(
      (await list(`env_name=${env}`)).map((deployment) => [deployment.artifact_name, deployment.lead_time]),
    );
    expect(results).toEqual(new Map(names.map((name, i) => [`${name}:1`, 100 * (i + 1)])));
    for (const [i, name] of names.entries()) {
      const own = await list(`env_name=${env}&repo_name=${repos[i]?.name}`);
      expect(own.map(({ fingerprint }) => fingerprint)).toEqual([print(name)]);
    }
  });

  it('is one for an artifact that two flows reported: the first gives its lead time and repository', async () => {
    const [env, build, promote] = [await environment(caller()), await flow(caller()), await flow(caller())];
    const [first, second, fingerprint] = [repository(), repository(), digest(env)];
    await built(build, fingerprint, YESTERDAY - 900, first);
    await built(promote, fingerprint, YESTERDAY - 60, second);
    await report(caller(), env, [item({ 'shop/web:1': fingerprint })]);
    expect(await list(`env_name=${env}`)).toMatchObject([{ fingerprint, lead_time: 900 }]);
    expect((await page(`env_name=${env}&repo_name=${first.name}`)).total_count).toBe(1);
    expect((await page(`env_name=${env}&repo_name=${second.name}`)).total_count).toBe(0);
  });

  it('is in a window that begins or ends with it, and in none beside it', async () => {
    const env = await environment(caller());
    await report(caller(), env, [item({ 'shop/web:1': digest(env) }, YESTERDAY)]);
    const count = async (start: number, end: number) =>
      (await page(`env_name=${env}&start_ts=${start}&end_ts=${end}`)).total_count;
    expect(await count(YESTERDAY, YESTERDAY)).toBe(1);
    expect(await count(YESTERDAY - 60, YESTERDAY)).toBe(1);
    expect(await count(YESTERDAY, YESTERDAY + 60)).toBe(1);
    expect(await count(YESTERDAY + 0.001, YESTERDAY + 60)).toBe(0);
    expect(await count(YESTERDAY - 60, YESTERDAY - 0.001)).toBe(0);
  });

  it('stays listed after its environment was archived', async () => {
    const env = await environment(caller());
    await report(caller(), env, [item({ 'shop/web:1': digest(env) })]);
    await caller().expect(200, 'PUT', `/environments/acme/${env}/archive`);
    expect(await list(`env_name=${env}`)).toMatchObject([{ fingerprint: digest(env), env_name: env }]);
  });

  it('is found by the former name of its environment', async () => {
    const [old, name] = [await environment(caller()), fresh('env')];
    await report(caller(), old, [item({ 'shop/web:1': digest(old) })]);
    await report(caller(), old, [item({ 'shop/web:2': digest(name) })]);
    await caller().expect(200, 'PUT', `/environments/acme/${old}/rename`, { json: { new_name: name } });
    for (const called of [old, name]) {
      expect((await list(`env_name=${called}`)).map((deployment) => deployment.env_name)).toEqual([name, name]);
      const { totals } = await caller().get<DeploymentMetrics>(`/deployments/acme/metrics?env_name=${called}`);
      expect(totals.deployments).toBe(1);
      expect(await caller().get<unknown[]>(`/environments/acme/${called}/events`)).toHaveLength(2);
      await caller().get(`/snapshots/acme/${called}/-1`);
      await caller().get(`/env-diff/acme?snappish1=${called}%231&snappish2=${called}%232`);
      await caller().get(`/snapshots/acme/${called}`);
    }
  });

  it('has addresses of its artifact that lead to it, also where another flow has the old name of its flow', async () => {
    const [env, old, name] = [await environment(caller()), await flow(caller()), fresh('flow')];
    const [fingerprint, repo_info] = [digest(`${env} built`), repository()];
    await built(old, fingerprint, YESTERDAY, repo_info);
    await report(caller(), env, [item({ 'shop/web:1': fingerprint })]);
    await caller().expect(200, 'PUT', `/flows/acme/${old}/rename`, { json: { new_name: name } });
    await caller().expect(201, 'PUT', '/flows/acme', { json: { name: old, description: '', template: ['artifact'] } });
    const repo = encodeURIComponent(repo_info.name);
    const lists = [
      `/deployments/acme?env_name=${env}`,
      `/deployments/acme/detailed?env_name=${env}`,
      `/environments/acme/${env}/deployments`,
      `/repos/acme/${repo}/deployments`,
    ];
    const pages = await Promise.all(lists.map((path) => caller().get<OrgDeploymentPage>(path)));
    const newest = await caller().get<OrgDeployment>(`/deployments/acme/${env}/${fingerprint}`);
    const artifacts = [...pages.flatMap(({ deployments }) => deployments), newest].map(
      ({ _links }) => _links?.artifact,
    );
    expect(artifacts).toHaveLength(5);
    for (const link of artifacts) {
      expect(link?.self).toMatch(new RegExp(`/artifacts/acme/${name}/fingerprint/${fingerprint}$`));
      expect(link?.html).toContain(`/acme/flows/${name}/artifacts/${fingerprint}`);
    }
  });
});
