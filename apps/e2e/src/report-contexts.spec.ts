import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { OWNER, reportAs } from './support/kinds';
import { CREATED, digest, environment, item, UNCHANGED, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('snapshotter');
  const of = (type: string, fields: Readonly<Record<string, unknown>> = {}) =>
    environment(caller(), { type, ...fields });
  const get = (env: string, expr: string | number = -1) =>
    caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/${expr}`);
  const refused = async (kind: string, env: string, json: unknown) =>
    (await caller().refused(400, 'PUT', `/environments/acme/${env}/report/${kind}`, { json })).errors;

  const [web, log] = [digest('web'), digest('log')];
  const pod = (podName: string, digests: Readonly<Record<string, string>>, at = YESTERDAY, more: object = {}) => ({
    ...item(digests, at),
    podName,
    namespace: 'shop',
    ...more,
  });
  const podOf = (creationTimestamp: number, owners: unknown = null) => ({
    namespace: 'shop',
    creationTimestamp,
    owners,
  });

  it('shows each pod of an artifact, and a pod with each of its containers', async () => {
    const env = await of('K8S');
    await reportAs(caller(), 'K8S', env, [
      pod('web-1', { 'web:1': web, 'log:1': log }, YESTERDAY + 1, { owners: [OWNER] }),
      pod('web-0', { 'web:1': web }, YESTERDAY, { owners: null }),
      pod('web-2', { 'web:1': web }, 0, { owners: [] }),
    ]);
    const { artifacts } = await get(env);
    expect(artifacts).toMatchObject([
      { name: 'log:1', pods: { 'web-1': podOf(YESTERDAY + 1, [OWNER]) }, creationTimestamp: [YESTERDAY + 1] },
      {
        name: 'web:1',
        pods: {
          'web-0': podOf(YESTERDAY),
          'web-1': podOf(YESTERDAY + 1, [OWNER]),
          'web-2': podOf(0, []),
        },
        creationTimestamp: { length: 3 },
      },
    ]);
    expect(Object.keys(artifacts[0]?.pods ?? {})).toHaveLength(1);
    expect(Object.keys(artifacts[1]?.pods ?? {})).toHaveLength(3);
  });

  it('keeps pods of one name in two namespaces apart', async () => {
    const env = await of('K8S');
    await reportAs(caller(), 'K8S', env, [
      pod('web-0', { 'web:1': web }, YESTERDAY + 1, { namespace: 'staging' }),
      pod('web-0', { 'web:1': web }, YESTERDAY),
      pod('__proto__', { 'web:1': web }, YESTERDAY + 2),
    ]);
    const pods = (await get(env)).artifacts[0]?.pods ?? {};
    expect(Object.keys(pods).sort()).toEqual(['__proto__', 'staging/web-0', 'web-0']);
    expect(pods['web-0']).toEqual(podOf(YESTERDAY));
    expect(pods['staging/web-0']).toEqual({ ...podOf(YESTERDAY + 1), namespace: 'staging' });
  });

  it('shows current pods after scaling, and earlier pods in old snapshots', async () => {
    const env = await of('K8S', { include_scaling: true });
    await reportAs(caller(), 'K8S', env, [pod('web-0', { 'web:1': web })]);
    const now = [pod('web-8', { 'web:1': web }), pod('web-9', { 'web:1': web })];
    expect(await reportAs(caller(), 'K8S', env, now)).toBe(CREATED(2));
    const podsOf = async (n: number) => Object.keys((await get(env, n)).artifacts[0]?.pods ?? {});
    expect(await podsOf(2)).toEqual(['web-8', 'web-9']);
    expect(await podsOf(1)).toEqual(['web-0']);
  });

  it('shows the details of an artifact that stays as each report has them', async () => {
    const env = await of('K8S');
    const stays = pod('web-0', { 'web:1': web }, YESTERDAY, { owners: [OWNER] });
    for (let i = 1; i <= 45; i += 1) {
      const turn = pod('log-0', { [`log:${i}`]: digest(`${env} ${i}`) });
      expect(await reportAs(caller(), 'K8S', env, [{ ...stays, podName: `web-${i}` }, turn])).toBe(CREATED(i));
    }
    for (const n of [1, 33, 34, 35, 36, 37, 45]) {
      const result = (await get(env, n)).artifacts.find(({ name }) => name === 'web:1');
      expect(result).toMatchObject({ pods: { [`web-${n}`]: podOf(YESTERDAY, [OWNER]) } });
    }
  }, 60_000);

  it('shows only new details of an artifact that returns', async () => {
    const env = await of('K8S');
    for (const artifacts of [[pod('web-0', { 'web:1': web })], [], [pod('web-7', { 'web:1': web })]]) {
      await reportAs(caller(), 'K8S', env, artifacts);
    }
    expect((await get(env)).artifacts).toMatchObject([{ pods: { 'web-7': podOf(YESTERDAY) } }]);
    expect(Object.keys((await get(env)).artifacts[0]?.pods ?? {})).toHaveLength(1);
  });

  it('refuses malformed owners', async () => {
    const env = await of('K8S');
    const owned = (owners: unknown) =>
      refused('K8S', env, { artifacts: [pod('web-0', { 'web:1': web }, 1, { owners })] });
    const { uid: _, ...nobody } = OWNER;
    expect(Object.keys((await owned('x')) ?? {})).toEqual(['artifacts.0.owners']);
    expect(Object.keys((await owned([null])) ?? {})).toEqual(['artifacts.0.owners.0']);
    expect(Object.keys((await owned([nobody])) ?? {})).toEqual(['artifacts.0.owners.0.uid']);
    expect(Object.keys((await owned([{ ...OWNER, controller: 'yes' }])) ?? {})).toEqual([
      'artifacts.0.owners.0.controller',
    ]);
    expect(Object.keys((await owned(Array(101).fill(OWNER))) ?? {})).toEqual(['artifacts.0.owners']);
    // Further fields of an owner are left out.
    const some = { ...OWNER, controller: null, blockOwnerDeletion: null, colour: 1 };
    await reportAs(caller(), 'K8S', env, [pod('web-0', { 'web:1': web }, YESTERDAY, { owners: [some] })]);
    const { controller: __, blockOwnerDeletion: ___, ...rest } = OWNER;
    expect((await get(env)).artifacts[0]?.pods).toEqual({ 'web-0': podOf(YESTERDAY, [rest]) });
  });

  it('shows the task of the oldest instance, without fields that the task lacks', async () => {
    const env = await of('ECS');
    const task = (taskArn: string, at: number, more: object = {}) => ({
      ...item({ 'web:1': web }, at),
      taskArn,
      ...more,
    });
    await reportAs(caller(), 'ECS', env, [
      task('younger', YESTERDAY + 1, { cluster_name: 'shop' }),
      task('older', YESTERDAY, { cluster_name: '', service_name: null }),
    ]);
    expect((await get(env)).artifacts).toMatchObject([
      { ecs_context: { task_arn: 'older', cluster_name: null, service_name: null }, pods: null },
    ]);
  });

  it('accepts a report of cloud-run with or without its type', async () => {
    const env = await of('cloud-run');
    const path = `/environments/acme/${env}/report/cloud-run`;
    const artifacts = [{ ...item({ 'web:1': web }), kind: 'job', jobName: 'nightly', serviceName: '' }];
    expect(await caller().expect(200, 'PUT', path, { json: { type: 'cloud-run', artifacts } })).toBe(CREATED(1));
    expect(await caller().expect(200, 'PUT', path, { json: { type: null, artifacts } })).toBe(UNCHANGED);
    expect((await get(env)).artifacts).toMatchObject([
      { cloud_run_context: { kind: 'job', service_name: null, revision_name: null, job_name: 'nightly' } },
    ]);
    expect(Object.keys((await refused('cloud-run', env, { type: 'K8S', artifacts })) ?? {})).toEqual(['type']);
    const [wrong] = artifacts.map((artifact) => ({ ...artifact, kind: 'Service' }));
    expect(await refused('cloud-run', env, { artifacts: [wrong] })).toEqual({
      'artifacts.0.kind': "Input should be 'service', 'job' [input: Service]",
    });
  });

  it('refuses a short report that would need much storage', async () => {
    const env = await of('K8S');
    const long = { ...OWNER, name: 'x'.repeat(253), uid: 'x'.repeat(253), kind: 'x'.repeat(253) };
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`web:${i}`, web]));
    const artifacts = [pod('web-0', many, 1, { owners: Array(100).fill(long) })];
    expect(await refused('K8S', env, { artifacts })).toEqual({ artifacts: expect.stringContaining('33554432') });
    expect(await reportAs(caller(), 'K8S', env, [pod('web-0', many)])).toBe(CREATED(1));
  }, 60_000);
});
