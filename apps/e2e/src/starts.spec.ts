import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { artifact, digest, environment, flow, item, post, report, sha1 } from './support/samples';
import { onEveryDeployment } from './support/world';

const DAY = 86_400;
const now = () => Math.floor(Date.now() / 1000);
/** What Go sends for no time, and what reproducible builds write. */
const UNKNOWN = [0, -62_135_596_800, 1, 315_532_800];

onEveryDeployment((world) => {
  const admin = () => world().as('admin');
  const observed = (env: string, at: number, ...artifacts: readonly object[]) =>
    admin().expect<string>(200, 'PUT', `/environments/acme/${env}/report/docker?observed_at=${at}`, {
      json: { artifacts },
    });
  const deployments = async (env: string) =>
    (await admin().get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}&start_ts=0&end_ts=${now() + DAY}`))
      .deployments;
  const running = async (env: string) =>
    (await admin().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`)).artifacts.filter(
      ({ annotation }) => annotation.now > 0,
    );
  const reported = async (fingerprint: string, timestamp: number) => {
    const { git_commit_info, ...fields } = artifact(fingerprint);
    await post(admin(), await flow(admin()), { ...fields, git_commit_info: { ...git_commit_info, timestamp } });
  };

  it('lie between both reports where a container restarts in its old pod, and lead times count to them', async () => {
    const env = await environment(admin());
    const [before, after] = [digest(`${env} 1`), digest(`${env} 2`)];
    const start = now() - 3 * DAY;
    await reported(after, start + 3_600);
    await observed(env, start, item({ 'lat:latest': before }, start - 10 * DAY));
    await observed(env, start + 7_200, item({ 'lat:latest': after }, start - 10 * DAY));
    const [newest, first] = await deployments(env);
    // The start would lie before the commit, so the report counts.
    expect(newest).toMatchObject({ fingerprint: after, deployed_at: start + 7_200, lead_time: 3_600 });
    expect(first).toMatchObject({ fingerprint: before, deployed_at: start - 10 * DAY });
    const [runs] = await running(env);
    expect(runs).toMatchObject({ creationTimestamp: [start - 10 * DAY], commit_lead_time: 3_600 });
  });

  it('are not before the last report without them: a rollback by docker start is in the list', async () => {
    const env = await environment(admin());
    const [v1, v2] = [digest(`${env} 1`), digest(`${env} 2`)];
    const start = now() - DAY;
    await observed(env, start, item({ web: v1 }, start - 50 * DAY));
    await observed(env, start + 60, item({ web: v2 }, start + 30));
    await observed(env, start + 120);
    await observed(env, start + 3_600);
    await observed(env, start + 3_660, item({ web: v1 }, start - 50 * DAY));
    expect((await deployments(env)).map(({ fingerprint, deployed_at }) => [fingerprint, deployed_at])).toEqual([
      [v1, start + 3_600],
      [v2, start + 30],
      [v1, start - 50 * DAY],
    ]);
  });

  it('stay where they are when the commit becomes known later, without a negative lead time', async () => {
    const env = await environment(admin());
    const [fingerprint, start] = [digest(env), now() - DAY];
    await observed(env, start);
    await observed(env, start + 100, item({ web: fingerprint }, start + 10));
    await reported(fingerprint, start + 50);
    const [result] = await deployments(env);
    expect(result).toMatchObject({ fingerprint, deployed_at: start + 10 });
    expect(result).not.toHaveProperty('lead_time');
    expect(await running(env)).toMatchObject([{ commit_lead_time: null }]);
  });

  it('count reports that changed nothing, and an empty first one', async () => {
    const env = await environment(admin());
    const start = now() - DAY;
    await observed(env, start);
    await observed(env, start + 600);
    await observed(env, start + 1_200, item({ web: digest(env) }, start - 9 * DAY));
    expect(await deployments(env)).toMatchObject([{ snapshot_index: 1, deployed_at: start + 600 }]);
  });

  it('begin anew when an environment is revived', async () => {
    const env = await environment(admin());
    const start = now() - DAY;
    await observed(env, start, item({ web: digest(`${env} 1`) }));
    await admin().expect(200, 'PUT', `/environments/acme/${env}/archive`);
    await admin().expect(200, 'PUT', '/environments/acme', { json: { name: env, type: 'docker', description: '' } });
    const created = start - 9 * DAY;
    await observed(env, start + 60, item({ web: digest(`${env} 2`) }, created));
    expect((await deployments(env)).find(({ snapshot_index }) => snapshot_index === 2)).toMatchObject({
      deployed_at: created,
    });
  });

  it('are never in the future, even if the clock of a reporter is ahead', async () => {
    const env = await environment(admin());
    const fingerprint = digest(env);
    await report(admin(), env, [item({ web: fingerprint }, now() + 300)]);
    const { deployments, total_count } = await admin().get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}`);
    expect(total_count).toBe(1);
    expect(deployments[0]?.deployed_at).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it.each(UNKNOWN)('are those of the report where the creation time is %i', async (created) => {
    const env = await environment(admin());
    const start = now() - DAY;
    await observed(env, start, item({ web: digest(env) }, created));
    expect(await deployments(env)).toMatchObject([{ deployed_at: start }]);
    expect(await running(env)).toMatchObject([{ creationTimestamp: [0] }]);
  });

  it.each(UNKNOWN.filter((time) => time >= 0))('have no lead time where the commit is of %i', async (timestamp) => {
    const env = await environment(admin());
    const fingerprint = digest(`${env} ${sha1(String(timestamp))}`);
    await reported(fingerprint, timestamp);
    await report(admin(), env, [item({ web: fingerprint })]);
    expect(await running(env)).toMatchObject([{ commit_lead_time: null }]);
  });

  it('are refused in milliseconds', async () => {
    const env = await environment(admin());
    const json = { artifacts: [item({ web: digest(env) }, Date.now())] };
    const { errors } = await admin().refused(400, 'PUT', `/environments/acme/${env}/report/docker`, { json });
    expect(errors?.['artifacts.0.creationTimestamp']).toContain('epoch seconds');
  });
});
