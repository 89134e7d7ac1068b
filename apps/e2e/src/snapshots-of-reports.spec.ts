import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { itemOf, KINDS, reportAs } from './support/kinds';
import { CREATED, digest, environment, item, report, UNCHANGED, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('admin');
  const latest = (env: string) => caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
  const events = (env: string) => caller().get<EnvironmentEvent[]>(`/environments/acme/${env}/events?interval=`);
  const deployments = (env: string) =>
    caller().get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}&start_ts=0&per_page=50`);
  const pod = (podName: string, image: string, fingerprint: string, at = YESTERDAY) => ({
    ...item({ [image]: fingerprint }, at),
    podName,
    namespace: 'd',
    owners: null,
  });

  it('list the pods of the report that made them, also of artifacts that run on', async () => {
    const env = await environment(caller(), { type: 'K8S' });
    const [web, x] = [digest(`${env} web`), digest(`${env} x`)];
    await reportAs(caller(), 'K8S', env, [pod('web-1', 'web:2', web), pod('web-2', 'web:2', web)]);
    const five = [20, 21, 22, 23, 24].map((n) => pod(`web-${n}`, 'web:2', web, YESTERDAY + n));
    expect(await reportAs(caller(), 'K8S', env, five)).toBe(UNCHANGED);
    expect(await reportAs(caller(), 'K8S', env, [...five, pod('x-0', 'x:1', x)])).toBe(CREATED(2));
    const { artifacts } = await latest(env);
    expect(artifacts.map(({ name, annotation }) => [name, annotation])).toEqual([
      ['web:2', { type: 'unchanged', was: 5, now: 5 }],
      ['x:1', { type: 'started', was: 0, now: 1 }],
    ]);
    expect(Object.keys(artifacts[0]?.pods ?? {}).sort()).toEqual([20, 21, 22, 23, 24].map((n) => `web-${n}`));
    expect(artifacts[0]?.creationTimestamp).toEqual([20, 21, 22, 23, 24].map((n) => YESTERDAY + n));
    const before = await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/1`);
    expect(Object.keys(before.artifacts[0]?.pods ?? {}).sort()).toEqual(['web-1', 'web-2']);
  });

  it.each(KINDS.map((kind) => [kind.kind, kind] as const))(
    'list details of %s as the report has them',
    async (name, kind) => {
      const env = await environment(caller(), { type: name });
      await reportAs(caller(), name, env, [itemOf(kind, 'a')]);
      const other = { ...itemOf(kind, 'a'), ...kind.saysOtherwise, creationTimestamp: YESTERDAY + 5 };
      expect(await reportAs(caller(), name, env, [other, itemOf(kind, 'b')])).toBe(CREATED(2));
      const [a] = (await latest(env)).artifacts;
      expect(a?.creationTimestamp).toEqual([YESTERDAY + 5]);
      // Between snapshots, all instances read the state of the same commits.
      expect(await reportAs(caller(), name, env, [itemOf(kind, 'a')])).toBe(CREATED(3));
      expect((await latest(env)).artifacts[0]).toMatchObject({ name: 'a', ...kind.shows });
    },
  );

  it('have the new name of a running digest, which is no change', async () => {
    const env = await environment(caller());
    const [web, db] = [digest(`${env} web`), digest(`${env} db`)];
    await report(caller(), env, [item({ 'sha256:web': web })]);
    expect(await report(caller(), env, [item({ 'docker.io/library/web:1': web })])).toBe(UNCHANGED);
    expect(await report(caller(), env, [item({ 'docker.io/library/web:1': web })])).toBe(UNCHANGED);
    expect(await report(caller(), env, [item({ 'docker.io/library/web:1': web, 'db:1': db })])).toBe(CREATED(2));
    expect((await latest(env)).artifacts.map(({ name, annotation }) => [name, annotation.type])).toEqual([
      ['db:1', 'started'],
      ['docker.io/library/web:1', 'unchanged'],
    ]);
    expect(await report(caller(), env, [item({ 'db:1': db })])).toBe(CREATED(3));
    expect((await events(env)).map(({ artifact_name, type }) => [artifact_name, type])).toEqual([
      ['docker.io/library/web:1', 'exited'],
      ['db:1', 'started'],
      ['sha256:web', 'started'],
    ]);
    expect((await deployments(env)).total_count).toBe(2);
  });

  it('go on with an artifact whose digest is unknown for a while', async () => {
    const env = await environment(caller(), { type: 'K8S' });
    const web = digest(`${env} web`);
    await reportAs(caller(), 'K8S', env, [pod('web-0', 'web:1', web)]);
    expect(await reportAs(caller(), 'K8S', env, [pod('web-1', 'web:1', '')])).toBe(UNCHANGED);
    expect(await reportAs(caller(), 'K8S', env, [pod('web-1', 'web:1', ''), pod('new-0', 'new:1', '')])).toBe(
      CREATED(2),
    );
    expect((await latest(env)).artifacts.map(({ name, fingerprint }) => [name, fingerprint])).toEqual([
      ['new:1', ''],
      ['web:1', web],
    ]);
    expect((await events(env)).map(({ artifact_name }) => artifact_name)).toEqual(['web:1']);
    expect((await deployments(env)).total_count).toBe(1);
  });
});
