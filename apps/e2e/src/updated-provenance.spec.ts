import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { eventually } from './support/eventually';
import { artifact, digest, environment, flow, item, post, report, UNCHANGED, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const get = (env: string, expr: string | number = '-1') =>
    caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/${expr}`);
  const snapshot = (env: string, n: number) =>
    eventually(
      () => get(env),
      ({ index }) => index >= n,
    );
  const flowsIn = ({ artifacts }: SnapshotAnswer) =>
    artifacts.map(({ flows }) => flows.map((flowRow) => flowRow.flow_name));

  it('creates one snapshot for provenance that arrives after the start of its artifact', async () => {
    const [env, late] = [await environment(caller()), await flow(caller())];
    const [web, api] = [digest(`${env} web`), digest(`${env} api`)];
    await report(caller(), env, [item({ web }, YESTERDAY), item({ web }, YESTERDAY + 5), item({ api })]);
    const before = await get(env, 1);
    await post(caller(), late, artifact(web));
    const after = await snapshot(env, 2);
    expect(after).toMatchObject({ index: 2, is_latest: true });
    expect(after.artifacts.map(({ name, annotation }) => [name, annotation])).toEqual([
      ['api', { type: 'unchanged', was: 1, now: 1 }],
      ['web', { type: 'updated-provenance', was: 2, now: 2 }],
    ]);
    expect(after.artifacts[1]).toMatchObject({
      flow_name: late,
      commit_lead_time: 600,
      creationTimestamp: [YESTERDAY, YESTERDAY + 5],
      flows: [{ flow_name: late, commit_lead_time: 600, trail_name: artifact(web).trail_name }],
    });
    const { is_latest: _, next_snapshot_timestamp: __, ...lasting } = before;
    expect(await get(env, 1)).toMatchObject(lasting);
    const running = [item({ web }), item({ web }), item({ api })];
    expect(await report(caller(), env, running)).toBe(UNCHANGED);
  });

  it('adds an event for it, but no deployment', async () => {
    const [env, late] = [await environment(caller()), await flow(caller())];
    const web = digest(env);
    await report(caller(), env, [item({ web })]);
    await post(caller(), late, artifact(web));
    await snapshot(env, 2);
    const events = await eventually(
      () => caller().get<EnvironmentEvent[]>(`/environments/acme/${env}/events`),
      ({ length }) => length === 2,
    );
    expect(events.map(({ type, snapshot_index, description }) => [type, snapshot_index, description])).toEqual([
      ['updated-provenance', 2, '1 instance changed'],
      ['started', 1, '1 instance started running (from 0 to 1)'],
    ]);
    expect(events[0]).toMatchObject({ pipeline: late, sha256: web });
    const page = await caller().get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}`);
    expect(page).toMatchObject({ total_count: 1, deployments: [{ snapshot_index: 1, lead_time: 600 }] });
    const compared = await caller().get<unknown>(`/env-diff/acme?snappish1=${env}%231&snappish2=${env}%232`);
    expect(compared).toMatchObject({ changed: { artifacts: [] }, snappish1: { artifacts: [] } });
  });

  it('creates none for repeated provenance, for other fields, or for artifacts that do not run', async () => {
    const [env, firstFlow, secondFlow] = [await environment(caller()), await flow(caller()), await flow(caller())];
    const [web, departed] = [digest(`${env} web`), digest(`${env} gone`)];
    await post(caller(), firstFlow, artifact(web));
    await report(caller(), env, [item({ web }), item({ gone: departed })]);
    await report(caller(), env, [item({ web })]);
    await post(caller(), firstFlow, artifact(departed));
    const same = artifact(web);
    for (const body of [same, { ...same, build_url: 'https://ci.example.com/other' }]) {
      await caller().expect(200, 'POST', `/artifacts/acme/${firstFlow}`, { json: body });
    }
    // Commits of a trail come in order: a later one shows that these were processed.
    await post(caller(), secondFlow, artifact(web));
    expect(flowsIn(await snapshot(env, 3))).toEqual([[firstFlow, secondFlow]]);
    await post(caller(), firstFlow, { ...same, trail_name: 'again' });
    const last = await snapshot(env, 4);
    expect([last.index, flowsIn(last)]).toEqual([4, [[firstFlow, secondFlow, firstFlow]]]);
  });

  it('creates one in every environment that runs the artifact under any name', async () => {
    const [firstEnv, secondEnv] = [await environment(caller()), await environment(caller())];
    const other = await environment(caller());
    const late = await flow(caller());
    const web = digest(firstEnv);
    await report(caller(), firstEnv, [item({ 'web:1': web, 'web:2': web })]);
    await report(caller(), secondEnv, [item({ 'web:1': web })]);
    await report(caller(), other, [item({ 'web:1': digest('other') })]);
    await post(caller(), late, artifact(web));
    expect(flowsIn(await snapshot(firstEnv, 2))).toEqual([[late], [late]]);
    expect(flowsIn(await snapshot(secondEnv, 2))).toEqual([[late]]);
    expect(await get(other)).toMatchObject({ index: 1 });
  });

  it('creates none in an archived environment until it is restored', async () => {
    const [env, marker, late] = [await environment(caller()), await environment(caller()), await flow(caller())];
    const web = digest(env);
    await report(caller(), env, [item({ web })]);
    await report(caller(), marker, [item({ web })]);
    await caller().expect(200, 'PUT', `/environments/acme/${env}/archive`);
    await post(caller(), late, artifact(web));
    await snapshot(marker, 2);
    await caller().expect(200, 'PUT', '/environments/acme', { json: { name: env, type: 'docker' } });
    const revived = await snapshot(env, 2);
    expect([revived.index, flowsIn(revived)]).toEqual([2, [[late]]]);
    expect(revived.timestamp).toBeGreaterThan((await get(marker)).timestamp);
  });
});
