import type { DetailedDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { AssertAnswer } from '@assurance/contracts/policies/answers/decision';
import type { Caller } from './support/caller';
import { startAtTime } from './support/deployments';
import { eventually } from './support/eventually';
import { notification, payloads, webhook } from './support/notifying';
import { Receiver } from './support/receiver';
import type { RunningService } from './support/running';
import { artifact, digest, environment, flow, item, post, report } from './support/samples';
import { TestClock } from './support/test-clock';
import { worldOf } from './support/world';

const MINUTE = 60_000;

describe('an environment that is not reported any more', () => {
  const clock = new TestClock();
  let service: RunningService;
  let receiver: Receiver;
  let caller: Caller;
  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await startAtTime(clock, { ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8' });
    caller = (await worldOf(service)).as('member');
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    expect(service.faults).toEqual([]);
  });

  const pass = (minutes: number) => clock.set(clock.now + minutes * MINUTE);
  const readEnvironment = (env: string) => caller.get<EnvironmentAnswer>(`/environments/acme/${env}`);
  const web = (env: string) => [item({ web: digest(env) })];
  const untilLate = (env: string) =>
    eventually(
      () => readEnvironment(env),
      ({ late_since }) => late_since !== null,
    );
  const listening = async (env: string) => {
    await notification(caller, {
      environments: [env],
      triggers: ['ON_STALE_ENV'],
      targets: [webhook(receiver.url(`/${env}`))],
    });
  };

  it('is late, says so once, and again only after it was reported', async () => {
    const env = await environment(caller, { report_every: 600 });
    await listening(env);
    expect(await readEnvironment(env)).toMatchObject({ report_every: 600, late_since: null, last_reported_at: null });
    await report(caller, env, web(env));
    const reportedAt = clock.now;
    expect(await readEnvironment(env)).toMatchObject({ late_since: null });
    await pass(11);
    expect(await untilLate(env)).toMatchObject({ late_since: (reportedAt + 10 * MINUTE) / 1_000 });
    const [first] = await payloads(receiver, `/${env}`, 1);
    expect(first).toMatchObject({ event_type: 'STALE_ENV', artifact: null, environment: env });
    // It stays late for hours, without another notification.
    await pass(300);
    // A report that changes nothing ends it.
    await report(caller, env, web(env));
    expect(await readEnvironment(env)).toMatchObject({ late_since: null });
    await pass(11);
    await untilLate(env);
    expect(await payloads(receiver, `/${env}`, 2)).toHaveLength(2);
    await pass(1);
    // So does one that makes a snapshot.
    await report(caller, env, [item({ other: digest(`${env} 2`) })]);
    expect(await readEnvironment(env)).toMatchObject({ late_since: null });
  });

  it('is late where it was never reported, says so once, and its first report makes the first snapshot', async () => {
    const env = await environment(caller, { report_every: 600 });
    const createdAt = clock.now;
    await listening(env);
    await pass(11);
    expect(await untilLate(env)).toMatchObject({
      late_since: (createdAt + 10 * MINUTE) / 1_000,
      last_reported_at: null,
    });
    const [first] = await payloads(receiver, `/${env}`, 1);
    expect(first).toMatchObject({ event_type: 'STALE_ENV', environment: env });
    expect(JSON.stringify(first)).toContain('No report came yet');
    const listed = await caller.get<EnvironmentAnswer[]>('/environments/acme?late=true');
    expect(listed.map(({ name }) => name)).toContain(env);
    await report(caller, env, web(env));
    expect(await readEnvironment(env)).toMatchObject({ late_since: null, last_reported_at: clock.now / 1_000 });
    // As of every environment, what its first report shows was there before.
    const { deployments } = await caller.get<DetailedDeploymentPage>(
      `/deployments/acme/detailed?env_name=${env}&start_ts=0`,
    );
    expect(deployments.map(({ kind }) => kind)).toEqual(['baseline']);
    await pass(11);
    await untilLate(env);
    expect(await payloads(receiver, `/${env}`, 2)).toHaveLength(2);
  });

  it('is late by what ten reports teach, where nothing is set', async () => {
    const env = await environment(caller);
    for (let i = 0; i < 10; i += 1) {
      await report(caller, env, web(env));
      await pass(20);
    }
    // Another one that is late shows that it was looked.
    const other = await environment(caller, { report_every: 60 });
    await report(caller, other, web(other));
    await pass(30);
    await untilLate(other);
    expect(await readEnvironment(env)).toMatchObject({ report_every: null, late_since: null });
    await pass(11);
    await untilLate(env);
  });

  it('is expected as its settings say from then on', async () => {
    const env = await environment(caller);
    await report(caller, env, web(env));
    await pass(90);
    const json = { report_every: 3_600 };
    await caller.expect(200, 'PATCH', `/environments/acme/${env}`, { json });
    await pass(1);
    await untilLate(env);
    await caller.expect(200, 'PATCH', `/environments/acme/${env}`, { json: { report_every: 0 } });
    expect(await readEnvironment(env)).toMatchObject({ report_every: null, late_since: null });
  });

  it('says nothing again where what is expected changes while it is late', async () => {
    const env = await environment(caller, { report_every: 600 });
    await listening(env);
    await report(caller, env, web(env));
    const reportedAt = clock.now;
    await pass(11);
    await untilLate(env);
    for (const report_every of [1_200, 60]) {
      await caller.expect(200, 'PATCH', `/environments/acme/${env}`, { json: { report_every } });
      await pass(20);
      expect(await untilLate(env)).toMatchObject({ late_since: reportedAt / 1_000 + report_every });
    }
    // The messages of an environment arrive in the order of its events: the second one is of this report.
    await report(caller, env, web(env));
    await pass(2);
    await untilLate(env);
    const all = await payloads(receiver, `/${env}`, 2);
    expect(all).toHaveLength(2);
    expect(JSON.stringify(all[1])).toMatch(/No report for [12] minutes/);
  });

  it('is counted for operators, and not once it is archived', async () => {
    const late = async () => {
      const metrics = await (await service.operator.send('GET', '/metrics')).text();
      return Number(/^assurance_late_environments (\d+)$/m.exec(metrics)?.[1]);
    };
    const env = await environment(caller, { report_every: 60 });
    await report(caller, env, web(env));
    const before = await late();
    await pass(3);
    await untilLate(env);
    await eventually(late, (count) => count === before + 1);
    const listed = async () =>
      (await caller.get<EnvironmentAnswer[]>('/environments/acme?late=true')).map(({ name }) => name);
    expect(await listed()).toContain(env);
    await caller.expect(200, 'PUT', `/environments/acme/${env}/archive`);
    await eventually(late, (count) => count === before);
    expect(await listed()).not.toContain(env);
  });

  it('is named in an assert, which says when the environment was last seen', async () => {
    const [env, built] = [await environment(caller, { report_every: 60 }), await flow(caller)];
    const fingerprint = digest(env);
    await post(caller, built, artifact(fingerprint));
    const assertion = () =>
      caller.get<AssertAnswer>(`/asserts/acme/fingerprint/${fingerprint}?environment_name=${env}`);
    expect(await assertion()).toMatchObject({ environment_last_reported_at: null, environment_late_since: null });
    const reportedAt = clock.now;
    await report(caller, env, [item({ web: fingerprint })]);
    expect(await assertion()).toMatchObject({ environment_last_reported_at: reportedAt / 1_000 });
    await pass(2);
    await untilLate(env);
    expect(await assertion()).toMatchObject({
      environment: env,
      environment_last_reported_at: reportedAt / 1_000,
      environment_late_since: (reportedAt + MINUTE) / 1_000,
    });
  });

  it('is no logical one, and expected no more often than every minute', async () => {
    const refused = async (fields: object) => {
      const json = { name: 'odd', type: 'docker', ...fields };
      return caller.refused(400, 'PUT', '/environments/acme', { json });
    };
    for (const [fields, problem] of [
      [{ report_every: 59 }, 'Input should be 0 or at least 60'],
      [{ report_every: -1 }, 'Input should be at least 0'],
      [{ report_every: 2_678_401 }, 'Input should be at most 2678400'],
      [{ report_every: 'often' }, 'Input should be a whole number'],
      [{ report_every: 60, type: 'logical' }, 'A logical environment is not reported'],
    ] as const) {
      const { errors } = (await refused(fields)) as unknown as { errors: Record<string, string> };
      expect(errors['report_every']).toContain(problem);
    }
  });
});
