import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import type { SnapshotAnswer, SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import { itemOf, KINDS } from './support/kinds';
import { CREATED, digest, environment, item, UNCHANGED } from './support/samples';
import { onEveryDeployment } from './support/world';

const DAY = 86_400;
const now = () => Date.now() / 1000;

onEveryDeployment((world) => {
  const admin = () => world().as('admin');
  const path = (env: string, kind: string, at: number | string) =>
    `/environments/acme/${env}/report/${kind}?observed_at=${at}`;
  const observed = (env: string, at: number | string, ...artifacts: readonly object[]) =>
    admin().expect<string>(200, 'PUT', path(env, 'docker', at), { json: { artifacts } });
  const refused = (env: string, at: number | string, ...artifacts: readonly object[]) =>
    admin().refused(400, 'PUT', path(env, 'docker', at), { json: { artifacts } });
  const snapshot = (env: string, expr = '-1') =>
    admin().get<SnapshotAnswer>(`/snapshots/acme/${env}/${encodeURIComponent(expr)}`);
  const readEnvironment = (env: string) => admin().get<EnvironmentAnswer>(`/environments/acme/${env}`);

  it('is taken by every kind of report, also of the very bytes that were taken before', async () => {
    for (const kind of KINDS) {
      const env = await environment(admin(), { type: kind.kind });
      const json = { artifacts: [itemOf(kind, 'a')] };
      const send = (at: string) => admin().expect<string>(200, 'PUT', path(env, kind.kind, at), { json });
      const start = Math.floor(now()) - 9 * DAY;
      expect(await send(`${start}.25`)).toBe(CREATED(1));
      expect(await snapshot(env)).toMatchObject({ timestamp: start + 0.25 });
      for (const day of [1, 2]) {
        expect(await send(`${start + day * DAY}`)).toBe(UNCHANGED);
        expect((await readEnvironment(env)).last_reported_at).toBe(start + day * DAY);
      }
      await admin().refused(400, 'PUT', path(env, kind.kind, start), { json });
    }
  });

  it('brings in history: snapshots, expressions, events, starts and lists have observed times', async () => {
    const env = await environment(admin());
    const start = Math.floor(now()) - 30 * DAY;
    const at = (day: number) => start + day * DAY;
    const [firstDigest, secondDigest] = ['one', 'two'].map((word) => digest(`${env} ${word}`)) as [string, string];
    await observed(env, at(0), item({ web: firstDigest }, at(-5)));
    await observed(env, at(10), item({ web: secondDigest }, at(9)));
    await observed(env, at(20), item({ web: firstDigest }, at(-5)));
    const list = await admin().get<SnapshotListItem[]>(`/snapshots/acme/${env}?reverse=true`);
    expect(list.map(({ from, to }) => [from, to])).toEqual([
      [at(0), at(10)],
      [at(10), at(20)],
      [at(20), 0],
    ]);
    const of = (seconds: number) => `@{${new Date(seconds * 1000).toISOString()}}`;
    for (const [day, index] of [
      [0, 1],
      [9.9, 1],
      [10, 2],
      [19.9, 2],
      [20, 3],
    ] as const) {
      expect(await snapshot(env, of(at(day)))).toMatchObject({ index });
    }
    await admin().refused(404, 'GET', `/snapshots/acme/${env}/${encodeURIComponent(of(at(-1)))}`);
    expect(await snapshot(env, '1')).toMatchObject({ timestamp: at(0), next_snapshot_timestamp: at(10) });
    const events = await admin().get<EnvironmentEvent[]>(`/environments/acme/${env}/events?interval=`);
    expect(new Set(events.map(({ reported_at }) => reported_at))).toEqual(new Set([at(0), at(10), at(20)]));
    const page = await admin().get<OrgDeploymentPage>(
      `/deployments/acme?env_name=${env}&start_ts=${at(-6)}&end_ts=${now()}`,
    );
    // The container of the rollback is older than the report before it.
    expect(page.deployments.map(({ deployed_at }) => deployed_at)).toEqual([at(10), at(9), at(-5)]);
    expect(await readEnvironment(env)).toMatchObject({ last_reported_at: at(20), last_changed_at: at(20) });
  });

  it('counts as the time of the newest report where it is up to a minute earlier, and is refused where it is more', async () => {
    const env = await environment(admin());
    const start = Math.floor(now()) - DAY;
    await observed(env, start, item({ web: digest('a') }));
    await observed(env, start - 60, item({ web: digest('b') }));
    expect(await snapshot(env)).toMatchObject({ index: 2, timestamp: start });
    for (const word of ['b', 'c']) {
      const { message, errors } = await refused(env, start - 61, item({ web: digest(word) }));
      expect(message).toMatch(/^Input payload validation failed/);
      expect(errors?.['observed_at']).toContain(`observed at ${start}`);
    }
    // A report that names no time is observed now.
    await admin().expect(200, 'PUT', `/environments/acme/${env}/report/docker`, { json: { artifacts: [] } });
    expect((await refused(env, start + 1, item({ web: digest('d') }))).errors).toHaveProperty('observed_at');
  });

  it('is never ahead', async () => {
    const env = await environment(admin());
    await observed(env, now() + 50, item({ web: digest('a') }, Math.floor(now()) + 300));
    expect((await snapshot(env)).timestamp).toBeLessThanOrEqual(now());
    expect((await refused(env, now() + 90, item({ web: digest('b') }))).errors).toHaveProperty('observed_at');
    const { total_count } = await admin().get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}`);
    expect(total_count).toBe(1);
  });

  it('of more than an hour ago is for admins', async () => {
    const env = await environment(admin());
    for (const role of ['member', 'snapshotter'] as const) {
      const send = (at: number) => path(env, 'docker', at);
      const json = { artifacts: [] };
      await world()
        .as(role)
        .expect(200, 'PUT', send(now() - 3_500), { json });
      const error = await world()
        .as(role)
        .refused(403, 'PUT', send(now() - 3_700), { json });
      expect(error).toEqual({ message: "You don't have permission to access this resource" });
    }
  });

  it.each(['soon', '1e9', '-5', 'NaN', '1795720000000'])('is refused as %s', async (text) => {
    const env = await environment(admin());
    expect((await refused(env, text)).errors).toHaveProperty('observed_at');
  });

  it('is the time of snapshots that no report made, while history is brought in', async () => {
    const env = await environment(admin());
    const start = Math.floor(now()) - 30 * DAY;
    await observed(env, start, item({ web: digest(`${env} a`) }));
    const name = `strict-${env}`;
    const form = new FormData();
    form.set('payload', JSON.stringify({ name, description: '', comment: '', type: 'env' }));
    form.set(
      'policy_file',
      new Blob(['_schema: https://x.example/v1\nartifacts:\n  provenance:\n    required: true\n']),
    );
    await admin().expect(201, 'PUT', '/policies/acme', { form });
    await admin().expect(200, 'POST', `/environments/acme/${env}/policies`, { json: { policy_names: [name] } });
    expect(await snapshot(env)).toMatchObject({ index: 2, timestamp: start });
    await admin().expect(200, 'PUT', `/environments/acme/${env}/report/docker`, {
      json: { artifacts: [item({ web: digest(`${env} a`) })] },
    });
    await admin().expect(200, 'DELETE', `/environments/acme/${env}/policies`, { json: { policy_names: [name] } });
    const { timestamp } = await snapshot(env);
    expect(now() - timestamp).toBeLessThan(60);
  });
});
