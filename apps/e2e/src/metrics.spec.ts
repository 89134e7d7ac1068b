import type { DeploymentMetrics } from '@assurance/contracts/deployments/answers/metrics';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import { eventually } from './support/eventually';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  item,
  policy,
  post,
  PROVENANCE,
  report,
  repository,
  YESTERDAY,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const HOUR = 3_600;

onEveryDeployment((world) => {
  // Administrators import the history, and the writer reads.
  const caller = () => world().as('admin');
  const metrics = (query: string) => caller().get<DeploymentMetrics>(`/deployments/acme/metrics?${query}`);
  /** What runs from a moment on, as somebody saw it then. */
  const run = (env: string, name: string, at: number) =>
    caller().expect<string>(200, 'PUT', `/environments/acme/${env}/report/docker?observed_at=${at}`, {
      json: { artifacts: [item({ 'shop/web:1': digest(name) }, at)] },
    });
  /** An environment whose first report saw that nothing runs. */
  const watched = async (since: number) => {
    const env = await environment(caller());
    await caller().expect(200, 'PUT', `/environments/acme/${env}/report/docker?observed_at=${since}`, {
      json: { artifacts: [] },
    });
    return env;
  };
  const built = (flowName: string, name: string, committed: number, repo_info = repository()) => {
    const body = artifact(digest(name), { repo_info });
    const git_commit_info = { ...body.git_commit_info, timestamp: committed };
    return post(caller(), flowName, { ...body, git_commit_info });
  };

  it('counts deployments and rollbacks, and shows lead times within the stated error', async () => {
    const [env, flowName] = [await watched(YESTERDAY - 1), await flow(caller())];
    const names = Array.from({ length: 5 }, (_, i) => `${env}-${i}`);
    const leads = [1, 2, 4, 8, 16].map((hours) => hours * HOUR);
    const repo = repository();
    for (const [i, name] of names.entries()) {
      await built(flowName, name, YESTERDAY + i - (leads[i] ?? 0), repo);
      await run(env, name, YESTERDAY + i);
    }
    // An earlier artifact returns, and then a later one than that.
    await run(env, names[0] ?? '', YESTERDAY + 10);
    await run(env, names[1] ?? '', YESTERDAY + 20);
    const { totals, buckets, relative_error } = await metrics(`env_name=${env}`);
    expect(totals).toMatchObject({ deployments: 7, rollbacks: 1, recoveries: 0, recovery_time: null });
    const lead = totals.lead_time;
    // A change is new to the environment once.
    expect(lead?.count).toBe(5);
    expect(lead?.mean).toBeCloseTo(leads.reduce((sum, lead) => sum + lead) / leads.length, 3);
    for (const [part, exact] of [
      ['p50', leads[2] ?? NaN],
      ['p90', leads[3] ?? NaN],
    ] as const) {
      expect(Math.abs((lead?.[part] ?? NaN) - exact)).toBeLessThanOrEqual(exact * relative_error);
    }
    expect(buckets.reduce((sum, { deployments }) => sum + deployments, 0)).toBe(7);
  });

  it('shows the time from failure to recovery for environments, not for repositories', async () => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    await attach(caller(), env, await policy(caller(), PROVENANCE));
    // This has no provenance.
    await report(caller(), env, []);
    await report(caller(), env, [item({ 'shop/web:1': digest(`${env}-a`) })]);
    await built(flowName, `${env}-a`, YESTERDAY, repo_info);
    // It is judged again a moment later.
    const { totals } = await eventually(
      () => metrics(`env_name=${env}`),
      (result) => result.totals.recoveries === 1,
    );
    expect(totals).toMatchObject({ deployments: 1, recoveries: 1 });
    expect(totals.recovery_time?.mean).toBeGreaterThan(0);
    expect(totals.recovery_time?.mean).toBeLessThan(60);
    const { repos } = await caller().get<RepoPage>(`/repos/acme?name=${encodeURIComponent(repo_info.name)}`);
    expect(repos).toHaveLength(1);
    const own = await metrics(`repo_name=${encodeURIComponent(repo_info.name)}`);
    expect(own.totals).toMatchObject({ deployments: 1, recoveries: null, recovery_time: null });
  });

  it('takes failures and recoveries of history at their observed times', async () => {
    const [env, flowName] = [await watched(YESTERDAY - 3 * HOUR), await flow(caller())];
    await attach(caller(), env, await policy(caller(), PROVENANCE));
    await built(flowName, `${env}-known`, YESTERDAY - 4 * HOUR);
    // It fails for an hour, though two reports say so, and for half an hour.
    for (const [name, at] of [
      [`${env}-known`, YESTERDAY - 2 * HOUR],
      [`${env}-a`, YESTERDAY],
      [`${env}-b`, YESTERDAY + 600],
      [`${env}-known`, YESTERDAY + HOUR],
      [`${env}-c`, YESTERDAY + 2 * HOUR],
      [`${env}-known`, YESTERDAY + 2.5 * HOUR],
    ] as const) {
      await run(env, name, at);
    }
    const { totals } = await metrics(`env_name=${env}`);
    expect(totals).toMatchObject({ recoveries: 2, recovery_time: { count: 2, mean: 0.75 * HOUR } });
  });

  it('includes a commit that arrives after the deployment and after an earlier question', async () => {
    const [env, flowName] = [await watched(YESTERDAY), await flow(caller())];
    await run(env, `${env}-a`, YESTERDAY);
    expect((await metrics(`env_name=${env}`)).totals).toMatchObject({ deployments: 1, lead_time: null });
    await built(flowName, `${env}-a`, YESTERDAY - HOUR);
    expect((await metrics(`env_name=${env}`)).totals.lead_time).toMatchObject({ count: 1, mean: HOUR });
  });

  it('groups by days and weeks of a time zone', async () => {
    const midnight = Date.parse('2025-03-30T00:00:00+01:00') / 1_000;
    const env = await watched(midnight - 2);
    await run(env, `${env}-a`, midnight - 1);
    await run(env, `${env}-b`, midnight);
    const window = `env_name=${env}&start_ts=${midnight - 2 * 86_400}&end_ts=${midnight + 86_400}`;
    const days = async (zone: string) =>
      Object.fromEntries(
        (await metrics(`${window}&time_zone=${zone}`)).buckets.map(({ date, deployments }) => [date, deployments]),
      );
    expect(await days('Europe/Berlin')).toMatchObject({ '2025-03-29': 1, '2025-03-30': 1, '2025-03-31': 0 });
    expect(await days('UTC')).toMatchObject({ '2025-03-28': 0, '2025-03-29': 2, '2025-03-30': 0 });
    const { buckets, bucket, time_zone } = await metrics(`${window}&bucket=week&time_zone=Europe/Berlin`);
    expect([bucket, time_zone]).toEqual(['week', 'Europe/Berlin']);
    expect(buckets.map(({ date, deployments }) => [date, deployments])).toEqual([
      ['2025-03-24', 2],
      ['2025-03-31', 0],
    ]);
    // The clocks went forward.
    expect((buckets[0]?.end ?? 0) - (buckets[0]?.start ?? 0)).toBe(7 * 86_400 - HOUR);
  });

  it.each([
    ['time_zone=Nowhere/Town', 'time_zone'],
    ['time_zone=%00', 'time_zone'],
    ['bucket=year', 'bucket'],
    ['start_ts=0&end_ts=86400000', 'start_ts'],
    ['start_ts=2&end_ts=1', 'start_ts'],
    ['env_name=', 'env_name'],
    ['env=x', 'env'],
  ])('refuses %s', async (query, field) => {
    const { errors } = await caller().refused(400, 'GET', `/deployments/acme/metrics?${query}`);
    expect(Object.keys(errors ?? {})).toEqual([field]);
  });

  it('names size, limit and remedy of a window that is too long', async () => {
    const query = `start_ts=0&end_ts=${366 * 86_400 + 1}`;
    const { errors } = await caller().refused(400, 'GET', `/deployments/acme/metrics?${query}`);
    const start_ts = 'The window has 367 days, more than the limit of 366. Ask for parts of it one after the other';
    expect(errors).toEqual({ start_ts });
    await caller().get(`/deployments/acme/metrics?start_ts=0&end_ts=${366 * 86_400}`);
  });

  it('omits figures without data', async () => {
    for (const query of ['env_name=none', 'repo_name=none']) {
      const { totals, buckets } = await metrics(query);
      expect(totals).toMatchObject({ deployments: 0, rollbacks: 0, lead_time: null });
      expect(buckets.length).toBeGreaterThanOrEqual(28);
    }
  });
});
