import type { DetailedDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { DeploymentMetrics } from '@assurance/contracts/deployments/answers/metrics';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { Caller } from '../support/caller';
import { BOOTSTRAP } from '../support/declared';
import { Place } from '../support/process';
import { digest, environment, item, report, UNCHANGED, YESTERDAY } from '../support/samples';
import { worldOf } from '../support/world';

const ENVIRONMENTS = 24;
/** So many first reports are acknowledged when it is killed: others are on their way. */
const ACKNOWLEDGED = 6;
/** What of other processes and clocks may differ (seconds): the document of a report may be this early. */
const EARLY = 60;

/**
 * A first report that makes no snapshot is in no event. Whoever forgets it takes what starts next for the baseline, whose start no figure
 * counts.
 */
describe('a service that is killed after the first reports of environments', () => {
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  const start = async () => {
    const bootstrap = place.write('bootstrap.yaml', BOOTSTRAP);
    const service = place.start({ ASSURANCE_BOOTSTRAP_FILE: bootstrap, ASSURANCE_LOG_LEVEL: 'error' });
    return { service, caller: (await worldOf({ url: await service.url() })).as('member') };
  };
  const runs = (env: string) => [item({ web: digest(env) }, YESTERDAY)];
  const deployments = async (caller: Caller, env: string) => {
    const path = `/deployments/acme/detailed?env_name=${env}&start_ts=${YESTERDAY - 60}`;
    return (await caller.get<DetailedDeploymentPage>(path)).deployments;
  };
  const counted = async (caller: Caller, env: string) =>
    (await caller.get<DeploymentMetrics>(`/deployments/acme/metrics?env_name=${env}`)).totals.deployments;

  it('keeps each that it acknowledged: the next start counts from that report', async () => {
    const first = await start();
    const names: string[] = [];
    while (names.length < ENVIRONMENTS) names.push(await environment(first.caller));
    const acknowledged = new Map<string, number>();
    const killed: Promise<void>[] = [];
    await Promise.allSettled(
      names.map(async (env) => {
        const before = Date.now() / 1000;
        expect(await report(first.caller, env, [])).toBe(UNCHANGED);
        acknowledged.set(env, before);
        if (acknowledged.size === ACKNOWLEDGED) killed.push(first.service.kill());
      }),
    );
    await Promise.all(killed);
    expect(acknowledged.size).toBeGreaterThanOrEqual(ACKNOWLEDGED);

    const { service, caller } = await start();
    for (const env of names) await report(caller, env, runs(env));
    for (const [env, since] of acknowledged) {
      const [newest, ...others] = await deployments(caller, env);
      expect([newest?.kind, others, await counted(caller, env)]).toEqual(['first', [], 1]);
      expect(newest?.deployed_at).toBeGreaterThan(since - EARLY);
    }
    // One that was not acknowledged may be recorded or not.
    for (const env of names) {
      const [newest] = await deployments(caller, env);
      expect(await counted(caller, env)).toBe(newest?.kind === 'first' ? 1 : 0);
    }
    expect(await service.stop()).toBe(0);
    expect(service.err).toBe('');
  }, 90_000);

  it('keeps the first report after a revival too, which lists what ran before', async () => {
    const first = await start();
    const env = await environment(first.caller);
    await report(first.caller, env, runs(env));
    await report(first.caller, env, []);
    await first.caller.expect(200, 'PUT', `/environments/acme/${env}/archive`, { json: null });
    await first.caller.expect(200, 'PUT', '/environments/acme', { json: { name: env, type: 'docker' } });
    const since = Date.now() / 1000;
    expect(await report(first.caller, env, [])).toBe(UNCHANGED);
    await first.service.kill();

    const { service, caller } = await start();
    expect((await caller.get<EnvironmentAnswer>(`/environments/acme/${env}`)).last_reported_at).toBeGreaterThan(
      since - EARLY,
    );
    const json = { artifacts: [item({ api: digest(`${env} api`) }, YESTERDAY)] };
    await caller.expect(200, 'PUT', `/environments/acme/${env}/report/docker`, { json });
    const [newest] = await deployments(caller, env);
    expect([newest?.artifact_name, newest?.kind]).toEqual(['api', 'first']);
    expect(newest?.deployed_at).toBeGreaterThan(since - EARLY);
    expect(await service.stop()).toBe(0);
  }, 60_000);
});
