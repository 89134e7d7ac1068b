import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { SnapshotAnswer, SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { Caller } from './support/caller';
import { LATE_KEY } from './support/declared';
import { together } from './support/deployments';
import type { RunningService } from './support/running';
import {
  artifact,
  CREATED,
  digest,
  environment,
  flow,
  item,
  post,
  report,
  UNCHANGED,
  YESTERDAY,
} from './support/samples';
import { worldOf } from './support/world';

const HOUR = 3_600_000;
/** Where the clock is set to, one after the other, in hours from the true time. */
const SET_TO = [0, 5, -3, 0.02, 40, -40, 1, 0, -0.02];
const EVER = 'start_ts=0&end_ts=9999999999';

// Where services are split, a clock that is set between two of them makes what one signed too old for the other: 503, and nothing was done.
describe.each(together)('a clock that is set between and during requests ($name)', (deployment) => {
  let hours = 0;
  let service: RunningService;
  let world: Awaited<ReturnType<typeof worldOf>>;
  let caller: Caller;
  beforeAll(async () => {
    service = await deployment.start({}, () => Date.now() + Math.round(hours * HOUR));
    world = await worldOf(service);
    caller = world.as('member');
  }, 90_000);
  beforeEach(() => (hours = 0));
  afterAll(async () => {
    await service.stop();
    expect(service.faults).toEqual([]);
  });

  const page = (env: string, query: string) =>
    caller.get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}&${query}`);
  const snapshot = (env: string, expr: string) =>
    caller.get<SnapshotAnswer>(`/snapshots/acme/${env}/${encodeURIComponent(expr)}`);

  it('shows when an environment was last reported, also after the clock was set back', async () => {
    hours = 5;
    const env = await environment(caller);
    const again = () => report(caller, env, [item({ web: digest(env) })]);
    await again();
    hours = 0;
    expect(await again()).toBe(UNCHANGED);
    const answer = await caller.get<EnvironmentAnswer>(`/environments/acme/${env}`);
    expect(Math.abs((answer.last_reported_at ?? 0) - Date.now() / 1_000)).toBeLessThan(60);
  });

  it('shows callers their own writes, whatever the clock is set to before the read', async () => {
    const [env, flowName] = [await environment(caller), await flow(caller)];
    const jumps = [...SET_TO, ...SET_TO, ...SET_TO];
    for (const [i, to] of jumps.entries()) {
      const fingerprint = digest(`${env} ${i}`);
      await post(caller, flowName, artifact(fingerprint));
      expect(await report(caller, env, [item({ web: fingerprint }, YESTERDAY + i)])).toBe(CREATED(i + 1));
      hours = to;
      const newest = { fingerprint, snapshot_index: i + 1 };
      expect(await page(env, `per_page=1&${EVER}`)).toMatchObject({ total_count: i + 1, deployments: [newest] });
    }
    const all = await page(env, `per_page=50&${EVER}`);
    expect(all.deployments.map(({ snapshot_index }) => snapshot_index)).toEqual(jumps.map((_, i) => jumps.length - i));
  }, 60_000);

  it('keeps the order: times of snapshots never decrease, and snapshots are found by them', async () => {
    const env = await environment(caller);
    for (const [i, to] of SET_TO.entries()) {
      hours = to;
      expect(await report(caller, env, [item({ web: digest(`${env} ${i}`) })])).toBe(CREATED(i + 1));
    }
    const list = await caller.get<SnapshotListItem[]>(`/snapshots/acme/${env}?reverse=true&per_page=50`);
    expect(list.map(({ index }) => index)).toEqual(SET_TO.map((_, i) => i + 1));
    const times = await Promise.all(list.map(async ({ index }) => (await snapshot(env, `${index}`)).timestamp));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const time of times) {
      // Of several at one time the newest is in force then.
      const expr = `@{${new Date(Math.round(time * 1000)).toISOString()}}`;
      expect(await snapshot(env, expr)).toMatchObject({ index: times.lastIndexOf(time) + 1 });
    }
    // Four were made before the clock was set 40 hours ahead. Later ones have that time and are still the newest.
    hours = 6;
    expect(await snapshot(env, '@{0.minutes.ago}')).toMatchObject({ index: 4 });
    for (const expr of ['-1', '@{now}']) expect(await snapshot(env, expr)).toMatchObject({ index: SET_TO.length });
  }, 60_000);

  it('counts each deployment once, on one day, also where its time is not known', async () => {
    const env = await environment(caller);
    for (const [i, to] of SET_TO.entries()) {
      hours = to;
      await report(caller, env, [item({ web: digest(`${env} ${i}`) }, i % 2 === 0 ? 0 : YESTERDAY + i)]);
    }
    for (const to of [-40, 0, 40]) {
      hours = to;
      const seen = [];
      for (let number = 1; number <= 3; number += 1) {
        const { deployments, ...rest } = await page(env, `per_page=4&page=${number}&${EVER}`);
        expect(rest).toMatchObject({ total_count: SET_TO.length, total_pages: 3 });
        seen.push(...deployments);
      }
      const times = seen.map(({ deployed_at }) => deployed_at);
      expect(times).toEqual([...times].sort((a, b) => b - a));
      expect(seen.map(({ snapshot_index }) => snapshot_index).sort()).toEqual(SET_TO.map((_, i) => i + 1));
    }
  }, 60_000);

  it('loses nothing and keeps the order while many report and the clock jumps', async () => {
    const environments = await Promise.all([1, 2, 3, 4, 5, 6].map(() => environment(caller)));
    const reportOften = async (env: string, client: number) => {
      for (let i = 0; i < 30; i += 1) {
        hours = SET_TO[(i + client) % SET_TO.length] ?? 0;
        await report(caller, env, [item({ web: digest(`${env} ${i}`) }, YESTERDAY + i)]);
      }
    };
    await Promise.all(environments.map(reportOften));
    for (const env of environments) {
      expect(await page(env, `per_page=1&${EVER}`)).toMatchObject({ total_count: 30 });
      const list = await caller.get<SnapshotListItem[]>(`/snapshots/acme/${env}?per_page=50`);
      expect(list.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, i) => 30 - i));
    }
    const { outcome } = await service.operator.run('verify');
    expect(outcome).toMatchObject({ ok: true });
  }, 60_000);

  it('checks the expiry of keys by the current clock', async () => {
    const late = world.withHeader(`Bearer ${LATE_KEY}`);
    await late.get('/deployments/acme');
    hours = (4_102_444_800_000 - Date.now()) / HOUR;
    await late.refused(401, 'GET', '/deployments/acme');
    hours = -1;
    await late.get('/deployments/acme');
  });
});
