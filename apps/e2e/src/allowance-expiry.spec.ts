import type { AllowedAnswer, AllowlistPage } from '@assurance/contracts/environments/answers/allowlist';
import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { AssertAnswer } from '@assurance/contracts/policies/answers/decision';
import { startAtTime } from './support/deployments';
import { eventually } from './support/eventually';
import { notification, payloads, webhook } from './support/notifying';
import { Receiver } from './support/receiver';
import { attach, digest, environment, fresh, item, policy, PROVENANCE, report } from './support/samples';
import { TestClock } from './support/test-clock';
import { worldOf } from './support/world';

const HOUR_MS = 3_600_000;

/** What messages of a webhook are about. */
interface Payload {
  readonly event_type: string;
  readonly description: string;
}

it('ends an allowance at its moment: verdicts, snapshots and messages follow, once, and a warning came a day before', async () => {
  const receiver = await Receiver.start();
  const clock = new TestClock(1_900_000_000_000);
  const service = await startAtTime(clock, { ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8' });
  const caller = (await worldOf(service)).as('member');
  const [env, web, path] = [await environment(caller), digest('web'), `/${fresh('hook')}`];
  const messages = () => receiver.at(path).map(({ body }) => JSON.parse(body) as Payload);
  const newest = () => caller.get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
  const listed = () => caller.get<AllowlistPage>(`/allowlists/acme/${env}`);
  const query = `environment_name=${env}`;
  const assert = () => caller.get<AssertAnswer>(`/asserts/acme/fingerprint/${web}?${query}`);
  const allow = (status: number, fields: object) =>
    caller.expect(status, 'PUT', `/allowlists/acme/${env}`, { json: { artifact_fingerprint: web, ...fields } });

  await notification(caller, {
    environments: [env],
    triggers: ['ON_NON_COMPLIANT_ENV'],
    targets: [webhook(receiver.url(path))],
  });
  await attach(caller, env, await policy(caller, PROVENANCE));
  const now = clock.now / 1_000;
  await allow(201, { artifact_name: 'nginx:1', description: 'until the audit', expires_at: now + 48 * 3_600 });
  await report(caller, env, [item({ 'nginx:1': web })]);
  const first = { timestamp: now, description: 'until the audit', user_name: 'ci-member' };
  expect((await newest()).artifacts).toMatchObject([
    { compliant: true, allow_listing: { ...first, expires_at: now + 48 * 3_600 } },
  ]);

  // Another end and reason is no new entry and makes no snapshot: the newest one shows it all the same.
  const end = now + 50 * 3_600;
  await clock.set(clock.now + HOUR_MS);
  await allow(200, { description: 'until the review', expires_at: end });
  await allow(200, {});
  const second = { timestamp: now + 3_600, description: 'until the review', expires_at: end };
  expect(await newest()).toMatchObject({ index: 1, artifacts: [{ allow_listing: second }] });
  expect(await assert()).toMatchObject({ compliant: true, allow_listing: second });
  expect((await listed()).artifacts).toMatchObject([{ created_at: now + 3_600, expires_at: end }]);
  expect(
    await caller.refused(400, 'PUT', `/allowlists/acme/${env}`, { json: { artifact_fingerprint: web, expires_at: 1 } }),
  ) //
    .toMatchObject({ errors: { expires_at: expect.stringContaining('This is in the past') as string } });
  expect(messages()).toEqual([]);

  await clock.set((end - 24 * 3_600) * 1_000);
  const [warning] = await eventually(
    () => Promise.resolve(messages()),
    (all) => all.length > 0,
  );
  expect(warning?.event_type).toBe('ALLOWANCE_ENDING');
  expect((await listed()).artifacts).toMatchObject([{ description: 'until the review', expires_at: end }]);

  await clock.set(end * 1_000 - 1);
  expect(await assert()).toMatchObject({ compliant: true });
  await clock.set(end * 1_000);
  // By the clock, whether or not the end was recorded.
  await caller.refused(404, 'GET', `/asserts/acme/fingerprint/${web}?${query}`);
  const after = await eventually(newest, ({ index }) => index > 1);
  expect(after).toMatchObject({ index: 2, compliant: false, artifacts: [{ compliant: false, allow_listing: null }] });
  expect((await listed()).artifacts).toEqual([]);
  expect(await caller.get<AllowedAnswer[]>('/allowlists/acme')).toEqual([]);
  expect(await caller.get<SnapshotAnswer>(`/snapshots/acme/${env}/1`)).toMatchObject({
    artifacts: [{ compliant: true, allow_listing: first }],
  });
  const events = await eventually(
    () => caller.get<EnvironmentEvent[]>(`/environments/acme/${env}/events`),
    (all) => all.length > 1,
  );
  expect(events[0]?.description).toBe('The artifact is not compliant now, by the allow-list');
  await eventually(
    () => Promise.resolve(messages()),
    (all) => all.length > 1,
  );

  // Allowing it again makes a new entry.
  await allow(201, { description: 'for good' });
  expect(await newest()).toMatchObject({
    index: 3,
    compliant: true,
    artifacts: [{ allow_listing: { expires_at: null } }],
  });
  expect(messages().map(({ event_type }) => event_type)).toEqual(['ALLOWANCE_ENDING', 'NON_COMPLIANT_ENV']);
  await service.stop();
  await receiver.stop();
  expect(service.faults).toEqual([]);
}, 120_000);

it('sends no warning for an allowance in an archived environment', async () => {
  const receiver = await Receiver.start();
  const clock = new TestClock(1_900_000_000_000);
  const service = await startAtTime(clock, { ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8' });
  const caller = (await worldOf(service)).as('member');
  const [activeEnv, archivedEnv, path] = [await environment(caller), await environment(caller), `/${fresh('hook')}`];
  const json = {
    artifact_fingerprint: digest('web'),
    artifact_name: 'web',
    expires_at: clock.now / 1_000 + 48 * 3_600,
  };
  await notification(caller, {
    environments: [archivedEnv, activeEnv],
    triggers: ['ON_NON_COMPLIANT_ENV'],
    targets: [webhook(receiver.url(path))],
  });
  // What is due first is looked at first.
  await caller.expect(201, 'PUT', `/allowlists/acme/${archivedEnv}`, {
    json: { ...json, expires_at: json.expires_at - 1 },
  });
  await caller.expect(201, 'PUT', `/allowlists/acme/${activeEnv}`, { json });
  await caller.expect(200, 'PUT', `/environments/acme/${archivedEnv}/archive`);
  await clock.set(clock.now + 25 * HOUR_MS);
  const messages = await payloads(receiver, path, 1);
  expect(messages.map(({ environment: env, event_type }) => [env, event_type])).toEqual([
    [activeEnv, 'ALLOWANCE_ENDING'],
  ]);
  await service.stop();
  await receiver.stop();
  expect(service.faults).toEqual([]);
}, 120_000);
