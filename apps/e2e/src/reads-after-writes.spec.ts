import type { OrgDeploymentPage, RepoDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { FlowAnswer } from '@assurance/contracts/flows/answers/flow';
import type { Caller } from './support/caller';
import { userKeyOf } from './support/declared';
import { times } from './support/deployments';
import { artifact, digest, environment, flow, fresh, item, post, report, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

const TIMES = times(200);
const TOGETHER = times(50);
const UNKNOWN = times(30);
const CALLERS = 4;
/** The time of the commits of artifacts. */
const COMMITTED = YESTERDAY - 600;

onEveryDeployment((world) => {
  /** One caller's reports, each followed by reads that must show it. */
  const reportAndRead = async (caller: Caller, count: number) => {
    const name = fresh('single');
    const [env, flowName] = [await environment(caller), await flow(caller)];
    const repo_info = { url: `https://github.com/x/${name}`, name, id: `${name}-id`, provider: 'github' };
    for (let i = 1; i <= count; i += 1) {
      const fingerprint = digest(`${env} ${i}`);
      await post(caller, flowName, artifact(fingerprint, { repo_info, trail_name: `t${i}` }));
      await report(caller, env, [item({ 'web:1': fingerprint }, YESTERDAY + i)]);
      const [org, repo, snapshot, environmentAnswer, flowShown] = await Promise.all([
        caller.get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}&per_page=1`),
        caller.get<RepoDeploymentPage>(`/repos/acme/${name}/deployments?per_page=2`),
        caller.get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`),
        caller.get<EnvironmentAnswer>(`/environments/acme/${env}`),
        caller.get<FlowAnswer>(`/flows/acme/${flowName}`),
      ]);
      expect(org).toMatchObject({ total_count: i, deployments: [{ fingerprint, snapshot_index: i }] });
      const deployed_at = org.deployments[0]?.deployed_at ?? 0;
      expect(org.deployments[0]?.lead_time).toBe(deployed_at - COMMITTED);
      expect(repo).toMatchObject({ total_count: i });
      expect(repo.deployments[0]).toMatchObject({ fingerprint, commit: { sha1: expect.any(String) } });
      if (i > 1) expect(repo.deployments[0]?.replaced_artifact?.fingerprint).toBe(digest(`${env} ${i - 1}`));
      expect(snapshot).toMatchObject({ index: i, timestamp: environmentAnswer.last_changed_at });
      // The first report is a baseline, which does not count.
      expect(flowShown).toMatchObject({ last_deployment_at: i === 1 ? null : deployed_at });
    }
  };

  it(`shows each of ${TIMES} reports in the very next reads, to several callers at once`, async () => {
    const roles = ['admin', 'member'] as const;
    const people = roles.map((role) => world().withHeader(`Bearer ${userKeyOf(role)}`));
    const callers = [...roles.map((role) => world().as(role)), ...people];
    expect(callers).toHaveLength(CALLERS);
    await Promise.all(callers.map((caller) => reportAndRead(caller, TIMES / CALLERS)));
  }, 240_000);

  it('joins provenance and report that arrive at the same moment', async () => {
    const caller = world().as('member');
    const [env, flowName, late] = [await environment(caller), await flow(caller), await flow(caller)];
    for (let i = 1; i <= TOGETHER; i += 1) {
      const fingerprint = digest(`${env} ${i}`);
      await Promise.all([
        post(caller, flowName, artifact(fingerprint)),
        report(caller, env, [item({ 'web:1': fingerprint }, YESTERDAY + i)]),
      ]);
      const page = await caller.get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}&per_page=1`);
      expect(page).toMatchObject({ total_count: i, deployments: [{ fingerprint }] });
      expect(page.deployments[0]?.lead_time).toBe((page.deployments[0]?.deployed_at ?? 0) - COMMITTED);
      if (i % 5 === 0) await post(caller, late, artifact(fingerprint, { git_commit_info: null }));
    }
    const { deployments } = await caller.get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}&per_page=50`);
    expect(deployments).toHaveLength(TOGETHER);
    for (const { deployed_at, lead_time } of deployments) expect(lead_time).toBe(deployed_at - COMMITTED);
    expect(await caller.get<FlowAnswer>(`/flows/acme/${late}`)).toMatchObject({ last_deployment_at: null });
  }, 60_000);

  it('shows a deployment of unknown time in the window that ends now', async () => {
    const caller = world().as('member');
    const env = await environment(caller);
    for (let i = 1; i <= UNKNOWN; i += 1) {
      await report(caller, env, [item({ 'web:1': digest(`${env} ${i}`) }, 0)]);
      expect(await caller.get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}`)).toMatchObject({
        total_count: i,
      });
    }
  }, 60_000);

  it('shows provenance that arrives late in the very next read', async () => {
    const caller = world().as('member');
    const [env, flowName] = [await environment(caller), await flow(caller)];
    for (let i = 1; i <= 20; i += 1) {
      const fingerprint = digest(`${env} ${i}`);
      await report(caller, env, [item({ 'web:1': fingerprint }, YESTERDAY + i)]);
      await post(caller, flowName, artifact(fingerprint));
      const page = await caller.get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}&per_page=1`);
      expect(page).toMatchObject({ total_count: i, deployments: [{ fingerprint }] });
      expect(page.deployments[0]?.lead_time).toBe((page.deployments[0]?.deployed_at ?? 0) - COMMITTED);
    }
  }, 60_000);
});
