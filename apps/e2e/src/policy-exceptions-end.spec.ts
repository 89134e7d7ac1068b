import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { AssertAnswer } from '@assurance/contracts/policies/answers/decision';
import { startAtTime } from './support/deployments';
import { eventually } from './support/eventually';
import { artifact, attach, digest, environment, flow, item, policy, policyYaml, post, report } from './support/samples';
import { TestClock } from './support/test-clock';
import { worldOf } from './support/world';

it('judges again when an exception of a policy ends, at its moment', async () => {
  const clock = new TestClock(1_900_000_000_000);
  const service = await startAtTime(clock);
  const caller = (await worldOf(service)).as('member');
  const [env, built, web] = [await environment(caller), await flow(caller), digest('web')];
  const end = clock.now + 48 * 3_600_000;
  const until = (ms: number) => `{until: "${new Date(ms).toISOString()}"}`;
  const exceptions = [until(clock.now - 1), until(end), until(end - 3_600_000)].join();
  const newest = () => caller.get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
  const isAsserted = async () => {
    const { compliant } = await caller.get<AssertAnswer>(`/asserts/acme/fingerprint/${web}?environment_name=${env}`);
    return compliant;
  };

  await post(caller, built, artifact(web, { trail_name: 'build-1' }));
  const name = await policy(caller, policyYaml(`  sbom: {required: true, exceptions: [${exceptions}]}\n`));
  await attach(caller, env, name);
  await report(caller, env, [item({ web })]);
  expect(await newest()).toMatchObject({ index: 1, compliant: true });
  await clock.set(end - 1);
  expect([await isAsserted(), (await newest()).index]).toEqual([true, 1]);
  await clock.set(end);
  // By the clock, whether or not the end was recorded.
  expect(await isAsserted()).toBe(false);
  expect(await eventually(newest, ({ index }) => index > 1)).toMatchObject({
    index: 2,
    compliant: false,
    timestamp: end / 1_000,
    artifacts: [{ reasons_for_incompliance: [`policy '${name}': the artifact has no SBOM`] }],
  });
});
