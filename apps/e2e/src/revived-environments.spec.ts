import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { NotificationAnswer } from '@assurance/contracts/notifications/answers/notification';
import { reportAs } from './support/kinds';
import { notification, NOTIFICATIONS } from './support/notifying';
import { CREATED, digest, environment, fresh, item, UNCHANGED } from './support/samples';
import { onEveryDeployment } from './support/world';

/** Clients destroy an environment, then create one of its name. */
onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const put = (json: object, status = 200) => caller().expect(status, 'PUT', '/environments/acme', { json });
  const archive = (env: string) => caller().expect(200, 'PUT', `/environments/acme/${env}/archive`, { json: null });
  const get = (env: string) => caller().get<EnvironmentAnswer>(`/environments/acme/${env}`);
  const snapshot = (env: string, expr: string) => caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/${expr}`);
  const countOf = async (number: number) =>
    (await caller().get<NotificationAnswer[]>(NOTIFICATIONS)).filter((notification) => notification.number === number)
      .length;

  it('have the new type, and start without snapshots', async () => {
    const env = await environment(caller());
    const [same, other] = [digest(`${env} same`), digest(`${env} other`)];
    await reportAs(caller(), 'docker', env, [item({ 'web:1': same }), item({ 'api:1': other })]);
    await archive(env);
    await put({ name: env, type: 'server' });
    expect(await get(env)).toMatchObject({ type: 'server', state: null, included_environments: null });
    expect(await snapshot(env, '-1')).toMatchObject({ index: 1, type: 'docker' });
    await caller().refused(400, 'PUT', `/environments/acme/${env}/report/docker`, { json: { artifacts: [] } });
    expect(await reportAs(caller(), 'server', env, [item({ 'web:1': same })])).toBe(CREATED(2));
    expect(await snapshot(env, '1')).toMatchObject({
      type: 'docker',
      artifacts: [{ name: 'api:1' }, { name: 'web:1' }],
    });
    const now = await snapshot(env, '2');
    expect(now).toMatchObject({
      type: 'server',
      artifacts: [{ name: 'web:1', annotation: { type: 'started', was: 0 } }],
    });
    expect(now.artifacts).toHaveLength(1);
    expect(await reportAs(caller(), 'server', env, [item({ 'web:1': same })])).toBe(UNCHANGED);
    const events = await caller().get<object[]>(`/environments/acme/${env}/events`);
    expect(events.filter((event) => 'type' in event && event.type === 'started')).toHaveLength(3);
    await caller().refused(400, 'PUT', '/environments/acme', { json: { name: env, type: 'K8S' } });
  });

  it('may become logical and then physical', async () => {
    const [env, member] = [await environment(caller()), await environment(caller())];
    await reportAs(caller(), 'docker', env, [item({ 'web:1': digest(env) })]);
    await archive(env);
    await put({ name: env, type: 'logical', included_environments: [member] });
    expect(await get(env)).toMatchObject({ type: 'logical', included_environments: [member] });
    await archive(env);
    await put({ name: env, type: 'docker' });
    expect(await get(env)).toMatchObject({ type: 'docker', included_environments: null });
    await reportAs(caller(), 'docker', env, [item({ 'api:1': digest(`${env} api`) })]);
    expect((await snapshot(env, '-1')).artifacts.map(({ name }) => name)).toContain('api:1');
  });

  it('suspend their notifications while archived', async () => {
    const [env, other] = [await environment(caller()), await environment(caller())];
    const { number, name } = await notification(caller(), { environments: [env] });
    const notificationNumber = await notification(caller(), { environments: [env, other] });
    const none = await notification(caller(), {});
    await archive(env);
    expect(await Promise.all([number, notificationNumber.number, none.number].map(countOf))).toEqual([0, 1, 1]);
    expect(await caller().refused(404, 'GET', `${NOTIFICATIONS}/${number}`)).toEqual({ message: 'Action not found' });
    await put({ name: env, type: 'K8S' });
    expect(await caller().get(`${NOTIFICATIONS}/${number}`)).toMatchObject({ number, name, environments: [env] });
    expect(await countOf(number)).toBe(1);
    await archive(env);
    const json = { name, environments: [other], triggers: [], targets: [] };
    await caller().expect(200, 'PUT', NOTIFICATIONS, { json });
    expect(await caller().get(`${NOTIFICATIONS}/${number}`)).toMatchObject({ name, environments: [other] });
    await archive(other);
    expect(await caller().expect(200, 'DELETE', `${NOTIFICATIONS}/${number}`)).toBe('OK');
    await put({ name: fresh('env'), type: 'docker' }, 201);
  });
});
