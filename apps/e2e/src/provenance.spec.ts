import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { times } from './support/deployments';
import {
  artifact,
  digest,
  environment,
  flow,
  fresh,
  item,
  post,
  report,
  repository,
  sha1,
  YESTERDAY,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const ROUNDS = Math.max(6, times(25));

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const get = (env: string, expr: string) => caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/${expr}`);
  const artifacts = async (env: string, expr = '-1') => (await get(env, expr)).artifacts;

  it('shows the provenance of an artifact', async () => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    const fingerprint = digest(env);
    await post(caller(), flowName, artifact(fingerprint, { repo_info }));
    await report(caller(), env, [item({ 'shop/web:1': fingerprint }, YESTERDAY)]);
    const [result] = await artifacts(env);
    const commit = sha1(fingerprint);
    const pages = {
      html_url: expect.any(String),
      flow_html_url: expect.stringMatching(new RegExp(`/acme/flows/${flowName}$`)),
    };
    const common = {
      flow_name: flowName,
      git_commit: commit,
      commit_url: `https://github.com/acme/shop/commit/${commit}`,
      commit_lead_time: 600,
      deployment_diff: null,
      ...pages,
    };
    expect(result).toMatchObject({ ...common, annotation: { type: 'started', was: 0, now: 1 } });
    expect(result?.html_url).toMatch(
      new RegExp(
        `/acme/flows/${flowName}/artifacts/${fingerprint}\\?artifact_id=[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{8}$`,
      ),
    );
    expect(result?.flows).toEqual([
      {
        ...common,
        trail_name: commit,
        template_reference_name: 'web',
        git_commit_info: {
          sha1: commit,
          message: 'Sell tea',
          author: 'Ada <ada@example.com>',
          branch: 'main',
          timestamp: YESTERDAY - 600,
          url: `https://github.com/acme/shop/commit/${commit}`,
        },
        artifact_compliance_in_flow: null,
        flow_reasons_for_non_compliance: [],
      },
    ]);
  });

  it('shows every flow and trail in order, each with a lead time', async () => {
    const [env, first, second] = [await environment(caller()), await flow(caller()), await flow(caller())];
    const fingerprint = digest(env);
    const young = sha1('young');
    await post(caller(), second, artifact(fingerprint));
    const git_commit_info = { sha1: young, timestamp: YESTERDAY + 100, author_username: 'ada', parents: [] };
    await post(caller(), first, artifact(fingerprint, { git_commit: young, git_commit_info }));
    await post(caller(), first, artifact(fingerprint, { git_commit_info: null, trail_name: 'later' }));
    await report(caller(), env, [
      item({ 'shop/web:1': fingerprint }, YESTERDAY + 50),
      item({ 'shop/web:1': fingerprint }, YESTERDAY),
    ]);
    const [result] = await artifacts(env);
    expect(result).toMatchObject({ flow_name: second, git_commit: sha1(fingerprint), commit_lead_time: 600 });
    expect(result?.flows.map((flowRow) => [flowRow.flow_name, flowRow.trail_name, flowRow.commit_lead_time])).toEqual([
      [second, sha1(fingerprint), 600],
      [first, sha1(fingerprint), null],
      [first, 'later', null],
    ]);
    expect(result?.flows[1]?.git_commit_info).toEqual({
      sha1: young,
      message: '',
      author: '',
      branch: '',
      timestamp: YESTERDAY + 100,
      url: null,
      author_username: 'ada',
      parents: [],
    });
    expect(result?.flows[2]?.git_commit_info).toBeNull();
  });

  it('keeps the provenance that was known when the snapshot was made', async () => {
    const [env, first, second] = [await environment(caller()), await flow(caller()), await flow(caller())];
    const fingerprint = digest(env);
    await post(caller(), first, artifact(fingerprint));
    await report(caller(), env, [item({ 'shop/web:1': fingerprint })]);
    const before = await get(env, '1');
    await post(caller(), second, artifact(fingerprint));
    expect((await get(env, '1')).artifacts[0]?.flows.map(({ flow_name }) => flow_name)).toEqual([first]);
    const { next_snapshot_timestamp: _, is_latest: __, ...lasting } = before;
    expect(await get(env, '1')).toMatchObject(lasting);
  });

  it('shows the same first flow everywhere, also for simultaneous reports', async () => {
    const [firstFlow, secondFlow] = [await flow(caller()), await flow(caller())];
    for (let i = 1; i <= ROUNDS; i += 1) {
      const env = await environment(caller());
      const fingerprint = digest(`${env} ${i}`);
      const [info, other] = [repository(), repository()];
      const git_commit_info = { sha1: sha1(fingerprint), timestamp: YESTERDAY - 50 };
      const posts = [
        post(caller(), firstFlow, artifact(fingerprint, { repo_info: info })),
        post(caller(), secondFlow, artifact(fingerprint, { repo_info: other, git_commit_info })),
      ];
      if (i % 2 === 0) await Promise.all(posts);
      await report(caller(), env, [item({ 'shop/web:1': fingerprint }, YESTERDAY)]);
      await Promise.all(posts);
      const page = await caller().get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}&start_ts=0&per_page=50`);
      const result = page.deployments.find((deployment) => deployment.fingerprint === fingerprint);
      const first = result?._links?.artifact?.self.includes(`/${firstFlow}/`) === true ? firstFlow : secondFlow;
      const lead = first === firstFlow ? 600 : 50;
      expect([page.total_count, result?.lead_time]).toEqual([1, lead]);
      const repo = encodeURIComponent((first === firstFlow ? info : other).name);
      const path = `/deployments/acme?repo_name=${repo}&start_ts=0`;
      expect((await caller().get<OrgDeploymentPage>(path)).total_count).toBe(1);
      if (i % 2 === 0) expect((await artifacts(env))[0]).toMatchObject({ flow_name: first, commit_lead_time: lead });
    }
  }, 60_000);

  it('shows nothing of other organizations', async () => {
    const other = world().withHeader('Bearer other-admin-key');
    const fingerprint = digest(fresh('shared'));
    await post(caller(), await flow(caller()), artifact(fingerprint));
    await other.expect(201, 'PUT', '/environments/other', { json: { name: 'prod', type: 'docker' } });
    const json = { artifacts: [item({ 'shop/web:1': fingerprint })] };
    await other.expect(200, 'PUT', '/environments/other/prod/report/docker', { json });
    const { artifacts: seen } = await other.get<SnapshotAnswer>('/snapshots/other/prod/-1');
    expect(seen).toMatchObject([{ flow_name: null, flows: [] }]);
  });

  it('shows what replaced what, and no longer lists the replaced one', async () => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    const [old, now] = [digest(`${env} old`), digest(`${env} new`)];
    await post(caller(), flowName, artifact(old, { repo_info }));
    await post(caller(), flowName, artifact(now, { repo_info, filename: 'shop/web:2' }));
    await report(
      caller(),
      env,
      [1, 2, 3].map((i) => item({ 'shop/web:1': old }, YESTERDAY + i)),
    );
    await report(
      caller(),
      env,
      [1, 2].map((i) => item({ 'shop/web:2': now }, YESTERDAY + 60 + i)),
    );
    const second = await artifacts(env);
    expect(second).toHaveLength(1);
    expect(second[0]).toMatchObject({
      fingerprint: now,
      annotation: { type: 'changed', was: 3, now: 2 },
      deployment_diff: {
        diff_url: `${repo_info.url}/compare/${sha1(old)}...${sha1(now)}`,
        previous_git_commit: sha1(old),
        previous_git_commit_url: `https://github.com/acme/shop/commit/${sha1(old)}`,
        previous_fingerprint: old,
        previous_artifact_name: 'shop/web:1',
        previous_artifact_compliance_state: null,
        previous_running: false,
        previous_trail_name: sha1(old),
        previous_template_reference_name: 'web',
      },
    });
    expect(second[0]?.flows[0]?.deployment_diff).toEqual(second[0]?.deployment_diff);
  });

  it('compares with the previous artifact, also while both run', async () => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    const [old, now] = [digest(`${env} old`), digest(`${env} new`)];
    await post(caller(), flowName, artifact(old, { repo_info }));
    await post(caller(), flowName, artifact(now, { repo_info }));
    await report(caller(), env, [item({ 'shop/web:1': old })]);
    await report(caller(), env, [item({ 'shop/web:1': old }), item({ 'shop/web:2': now })]);
    const byName = new Map((await artifacts(env)).map((artifact) => [artifact.name, artifact]));
    expect(byName.get('shop/web:2')).toMatchObject({
      annotation: { type: 'started', was: 0, now: 1 },
      deployment_diff: { previous_fingerprint: old, previous_running: true },
    });
    expect(byName.get('shop/web:1')).toMatchObject({ annotation: { type: 'unchanged' }, deployment_diff: null });
    await report(caller(), env, []);
    const third = digest(`${env} third`);
    await post(caller(), flowName, artifact(third, { repo_info }));
    await report(caller(), env, [item({ 'shop/web:3': third })]);
    expect((await artifacts(env))[0]).toMatchObject({
      annotation: { type: 'started', was: 0, now: 1 },
      deployment_diff: { previous_fingerprint: now, previous_running: false },
    });
  });

  it('measures the lead time to the start of the artifact, also after scaling', async () => {
    const [env, flowName] = [await environment(caller(), { include_scaling: true }), await flow(caller())];
    const fingerprint = digest(env);
    await post(caller(), flowName, artifact(fingerprint));
    const at = (...starts: number[]) =>
      report(
        caller(),
        env,
        starts.map((time) => item({ 'shop/web:1': fingerprint }, YESTERDAY + time)),
      );
    await at(0);
    await at(50, 60);
    await at(70, 80, 90);
    const seen = [];
    for (const n of [1, 2, 3]) {
      const [result] = await artifacts(env, String(n));
      seen.push([
        result?.annotation.type,
        result?.annotation.now,
        result?.commit_lead_time,
        result?.flows[0]?.commit_lead_time,
      ]);
    }
    expect(seen).toEqual([
      ['started', 1, 600, 600],
      ['scaled', 2, 600, 600],
      ['scaled', 3, 600, 600],
    ]);
  });

  it('does not treat an artifact of another place as the previous one', async () => {
    const [env, flowName] = [await environment(caller()), await flow(caller())];
    const [web, api] = [digest(`${env} web`), digest(`${env} api`)];
    await post(caller(), flowName, artifact(web, { filename: 'shop/web:1', repo_info: repository() }));
    const fields = { filename: 'shop/api:1', template_reference_name: 'api', repo_info: repository() };
    await post(caller(), flowName, artifact(api, fields));
    await report(caller(), env, [item({ 'shop/web:1': web })]);
    await report(caller(), env, [item({ 'shop/api:1': api })]);
    expect(
      (await artifacts(env)).map((artifact) => [artifact.name, artifact.annotation.type, artifact.deployment_diff]),
    ).toEqual([
      ['shop/api:1', 'started', null],
      ['shop/web:1', 'exited', null],
    ]);
  });
});
