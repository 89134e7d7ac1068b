import type { OrgDeploymentPage, RepoDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { FlowAnswer } from '@assurance/contracts/flows/answers/flow';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import type { TrailAnswer } from '@assurance/contracts/flows/answers/trail';
import {
  attach,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  policy,
  policyYaml,
  post,
  repository,
  sha1,
  YESTERDAY,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const TEMPLATE = `version: 1

trail:
  attestations:
    - name: review
      type: pull_request
    - name: protection
      type: "custom:jokes"
  artifacts:
    - name: web
      attestations:
        - name: tests
          type: junit
`;
const KINDS = {
  review: { git_provider: 'gitlab', pull_requests: [{ url: 'https://gitlab.com/acme/shop/-/merge_requests/4' }] },
  tests: { junit_results: [{ name: 'unit', failures: 0, errors: 0, skipped: 0, total: 1, duration: 0 }] },
  scan: { snyk_results: { schema_version: 1, results: [{ high_count: 0, medium_count: 0, low_count: 0 }] } },
  quality: { sonar_results: { qualityGate: { status: 'ERROR', conditions: [] } } },
};
const [IS_BUILD, IS_NO_BUILD] = ['flow.tags.kind == "build"', 'flow.tags.kind != "build"'] as const;

/** What a pipeline and reporters tell from the first commit to the last start, and what is to be seen of it afterwards, all in one. */
onEveryDeployment((world) => {
  // History is brought in by administrators.
  const caller = () => world().as('admin');
  const attest = (flowName: string, trail: string, kind: string, data: object) =>
    caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${trail}/${kind}`, { form: flowForm(data) });
  const tag = (name: string, kind: string) =>
    caller().expect(200, 'PATCH', `/tags/acme/flow/${name}`, { json: { set_tags: { kind } } });
  const commit = (name: string, timestamp: number, url: string) => {
    const hash = sha1(name);
    const fields = { sha1: hash, message: `Sell ${name}`, author: 'Ada <ada@example.com>', branch: 'main', timestamp };
    return { ...fields, url: `${url}/-/commit/${hash}` };
  };
  const observe = (env: string, at: number, artifacts: readonly object[]) =>
    caller().expect<string>(200, 'PUT', `/environments/acme/${env}/report/docker?observed_at=${at}`, {
      json: { artifacts },
    });
  const sidesOf = async (env: string, repo: { readonly name: string }) => {
    const { repos } = await caller().get<RepoPage>(`/repos/acme?name=${encodeURIComponent(repo.name)}`);
    const [listed, ...others] = repos;
    expect(others).toEqual([]);
    const query = `start_ts=0&end_ts=9999999999&env_name=${env}`;
    return {
      listed,
      named: await caller().get<OrgDeploymentPage>(`/deployments/acme?${query}&repo_name=${repo.name}`),
      own: await caller().get<RepoDeploymentPage>(`/repos/acme/${listed?.id}/deployments?start_ts=0&env=${env}`),
    };
  };

  it('shows every piece of evidence of a trail in its statuses and, in the order of time, in its events', async () => {
    const [web, repo_info] = [digest(fresh('web')), repository('gitlab', 'gitlab.com')];
    const [flowName, jokes] = [await flow(caller(), TEMPLATE.replace('jokes', 'no-jokes')), fresh('jokes')];
    const evaluator = { content_type: 'jq', rules: ['.is_compliant'] };
    await caller().expect(201, 'POST', '/custom-attestation-types/acme', {
      form: flowForm({ name: jokes, evaluator }),
    });
    const template = TEMPLATE.replace('jokes', jokes);
    await caller().expect(200, 'PUT', '/flows/acme/template_file', { form: flowForm({ name: flowName }, template) });
    expect((await caller().get<FlowAnswer>(`/flows/acme/${flowName}`)).template).toBe(template);
    const info = commit(flowName, YESTERDAY - 600, repo_info.url);
    const trail = 'build-1';
    const untold = { target_artifacts: ['web'], git_commit_info: info };
    await attest(flowName, trail, 'junit', { attestation_name: 'tests', ...untold, ...KINDS.tests });
    await post(caller(), flowName, {
      fingerprint: web,
      filename: 'shop/web:1',
      git_commit: info.sha1,
      git_commit_info: info,
      repo_info,
      commit_url: info.url,
      trail_name: trail,
      template_reference_name: 'web',
    });
    const late = { ...info, branch: 'late' };
    await caller().expect(200, 'POST', `/artifacts/acme/${flowName}`, {
      json: {
        fingerprint: web,
        filename: 'shop/web:1',
        git_commit: info.sha1,
        git_commit_info: late,
        repo_info,
        commit_url: info.url,
        trail_name: trail,
        template_reference_name: 'web',
      },
    });
    const expected = { target_artifacts: ['web'], artifact_fingerprint: web };
    await attest(flowName, trail, 'pull_request', { attestation_name: 'review', ...KINDS.review });
    await attest(flowName, trail, 'custom', {
      attestation_name: 'protection',
      type_name: jokes,
      attestation_data: { is_compliant: false },
    });
    await attest(flowName, trail, 'snyk', { attestation_name: 'scan', ...expected, ...KINDS.scan });
    await attest(flowName, trail, 'sonar', { attestation_name: 'quality', ...KINDS.quality });
    const { events, template: shown, ...answer } = await caller().get<TrailAnswer>(`/trails/acme/${flowName}/${trail}`);
    const status = (name: string, type: string, compliant: boolean, unexpected: boolean) =>
      expect.objectContaining({
        attestation_name: name,
        attestation_type: type,
        status: 'COMPLETE',
        is_compliant: compliant,
        unexpected,
        attestation_id: expect.any(String) as string,
        overridden_attestation_id: null,
      }) as object;
    expect(answer).toMatchObject({ compliance_state: 'NON-COMPLIANT', is_compliant: false });
    expect(answer.compliance_status).toMatchObject({ status: 'NON-COMPLIANT', is_compliant: false });
    expect(answer.compliance_status.attestations_statuses).toEqual([
      status('review', 'pull_request', true, false),
      status('protection', `custom:${jokes}`, false, false),
      status('quality', 'sonar', false, true),
    ]);
    expect(Object.keys(answer.compliance_status.artifacts_statuses)).toEqual(['web']);
    expect(answer.compliance_status.artifacts_statuses['web']).toMatchObject({
      artifact_fingerprint: web,
      status: 'COMPLIANT',
      is_compliant: true,
      unexpected: false,
      attestations_statuses: [status('tests', 'junit', true, false), status('scan', 'snyk', true, true)],
    });
    expect(shown).toMatchObject({ content: template });
    const attested = events.flatMap((event) => ('attestation_type' in event ? [event] : []));
    expect(attested.map((event) => [event.type, event.attestation_type, event.is_compliant])).toEqual([
      ['trail_attestation_for_artifact_reported', 'junit', true],
      ['trail_attestation_reported', 'pull_request', true],
      ['trail_attestation_reported', `custom:${jokes}`, false],
      ['artifact_attestation_reported', 'snyk', true],
      ['trail_attestation_reported', 'sonar', false],
    ]);
    expect(attested.map((event) => event.template_reference_name)).toEqual([
      'tests',
      'review',
      'protection',
      'scan',
      'quality',
    ]);
    expect(attested.flatMap((event) => ('target_artifact' in event ? [event.target_artifact] : []))).toEqual([
      'web',
      'web',
    ]);

    const env = await environment(caller(), { include_scaling: true });
    await observe(env, YESTERDAY - 1, []);
    await observe(env, YESTERDAY, [item({ 'shop/web:1': web }, YESTERDAY)]);
    const { listed, named, own } = await sidesOf(env, repo_info);
    expect(listed).toMatchObject({
      repo_id: repo_info.id,
      name: repo_info.name,
      url: repo_info.url,
      provider: 'gitlab',
      description: null,
    });
    expect(named.deployments).toMatchObject([{ fingerprint: web, deployed_at: YESTERDAY, lead_time: 600 }]);
    // The first report of an artifact sets its commit.
    expect(own.deployments).toMatchObject([{ fingerprint: web, deployed_at: YESTERDAY, commit: info }]);
    const [running] = (await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`)).artifacts;
    expect(running).toMatchObject({ git_commit: info.sha1, creationTimestamp: [YESTERDAY], commit_lead_time: 600 });
    expect(running?.flows).toMatchObject([{ flow_name: flowName, git_commit_info: info }]);
  });

  it('judges an artifact of two flows by the tags of each, and gives it the commit and lead time of the first', async () => {
    const jobs = digest(fresh('jobs'));
    const names = [await flow(caller()), await flow(caller())] as const;
    const [building, promoting] = names;
    await tag(building, 'build');
    await tag(promoting, 'promotion');
    const repos = [repository(), repository()] as const;
    // The commit is younger than its artifact, so the lead time is unknown.
    const commits = [
      commit(building, YESTERDAY - 100, repos[0].url),
      commit(promoting, YESTERDAY + 100, repos[1].url),
    ] as const;
    for (const [i, name] of names.entries()) {
      const info = commits[i];
      await post(caller(), name, {
        fingerprint: jobs,
        filename: 'shop/jobs:1',
        git_commit: info?.sha1,
        git_commit_info: info,
        commit_url: info?.url,
        repo_url: repos[i]?.url,
        trail_name: 'build-2',
        template_reference_name: 'jobs',
      });
    }
    await attest(building, 'build-2', 'pull_request', { attestation_name: 'review', ...KINDS.review });
    const rules = policyYaml(
      `  provenance: {required: true, exceptions: [{if: '${IS_NO_BUILD}'}]}\n  attestations:\n` +
        `    - {type: pull_request, if: '${IS_BUILD}'}\n    - {type: snyk, if: '${IS_NO_BUILD}'}\n`,
    );
    const name = await policy(caller(), `# 1\n${rules}`);
    await policy(caller(), rules, name);
    const env = await environment(caller(), { include_scaling: true });
    await attach(caller(), env, name);
    const removed = digest(fresh('gone'));
    await observe(env, YESTERDAY - 1, [item({ 'shop/gone:1': removed }, YESTERDAY - 1)]);
    await observe(env, YESTERDAY, [item({ 'shop/jobs:1': jobs }, YESTERDAY)]);
    await observe(
      env,
      YESTERDAY + 50,
      [YESTERDAY, YESTERDAY + 50].map((at) => item({ 'shop/jobs:1': jobs }, at)),
    );
    const { artifacts, applied_policies: applied } = await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
    const running = artifacts.filter(({ annotation }) => annotation.now > 0);
    const missing = `the '*' attestation of type snyk is missing in trail 'build-2' of flow '${promoting}'`;
    expect(running).toMatchObject([
      {
        name: 'shop/jobs:1',
        fingerprint: jobs,
        flow_name: building,
        compliant: false,
        commit_lead_time: 100,
        git_commit: commits[0].sha1,
        commit_url: commits[0].url,
        reasons_for_incompliance: [`policy '${name}': ${missing}`],
      },
    ]);
    expect(running[0]?.creationTimestamp.toSorted()).toEqual([YESTERDAY, YESTERDAY + 50]);
    expect(running[0]?.flows).toMatchObject(
      names.map((flow_name, i) => ({
        flow_name,
        trail_name: 'build-2',
        template_reference_name: 'jobs',
        git_commit: commits[i]?.sha1,
        commit_url: commits[i]?.url,
        git_commit_info: commits[i],
        commit_lead_time: i === 0 ? 100 : null,
        artifact_compliance_in_flow: true,
        flow_reasons_for_non_compliance: [],
      })),
    );
    const resolved = (artifact_status: string | null, ...types: readonly string[]) =>
      types.map((type, i) => ({ type, context: { flow_name: names[i], trail_name: 'build-2', artifact_status } }));
    const optional = { required: false, exceptions: [] };
    const [approved, scanned] = ['pull_request', 'snyk'].map((type) => ({ name: '*', type, must_be_compliant: true }));
    const [isBuild, isNoBuild] = [{ text: IS_BUILD }, { text: IS_NO_BUILD }];
    expect(running[0]?.policy_decisions).toEqual([
      {
        policy_name: name,
        policy_version: 2,
        status: 'NON-COMPLIANT',
        rule_evaluations: [
          {
            rule: { type: 'provenance', definition: { required: true, exceptions: [{ if: isNoBuild }] } },
            satisfied: true,
            ignored: false,
            resolutions: resolved(null, 'rule_satisfied', 'rule_not_applicable'),
          },
          {
            rule: { type: 'trail-compliance', definition: optional },
            satisfied: null,
            ignored: true,
            resolutions: resolved('COMPLIANT', 'rule_not_applicable', 'rule_not_applicable'),
          },
          {
            rule: { type: 'attestation', definition: { if: isBuild, ...approved } },
            satisfied: true,
            ignored: false,
            resolutions: resolved(null, 'rule_satisfied', 'rule_not_applicable'),
          },
          {
            rule: { type: 'attestation', definition: { if: isNoBuild, ...scanned } },
            satisfied: false,
            ignored: false,
            resolutions: resolved(null, 'rule_not_applicable', 'missing_attestation'),
          },
        ],
      },
    ]);
    expect(applied).toMatchObject([
      {
        name,
        version: 2,
        failing_artifacts: [jobs],
        policy_dump: {
          schema_version: '1',
          artifacts: {
            provenance: { required: true, exceptions: [{ if_condition: isNoBuild }] },
            trail_compliance: optional,
            attestations: [
              { if_condition: isBuild, ...approved },
              { if_condition: isNoBuild, ...scanned },
            ],
          },
        },
      },
    ]);
    const [first, second] = [await sidesOf(env, repos[0]), await sidesOf(env, repos[1])];
    expect(first.named.deployments).toMatchObject([{ fingerprint: jobs, deployed_at: YESTERDAY, lead_time: 100 }]);
    expect(first.own.deployments).toMatchObject([{ fingerprint: jobs, deployed_at: YESTERDAY, commit: commits[0] }]);
    expect(second.own.deployments).toEqual([]);
  });
});
