import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WEB = 'a1'.repeat(32);
const JOBS = 'b2'.repeat(32);
const DAY = 1_700_000_000;

const commit = (digit: string, timestamp: number) => ({
  sha1: digit.repeat(40),
  message: 'Sell tea',
  author: 'Ada <ada@example.com>',
  branch: 'main',
  timestamp,
  url: `https://gitlab.com/acme/shop/-/commit/${digit.repeat(40)}`,
});

/** A trail that reported an artifact twice, and the snapshot of another artifact in two flows. */
function record({ leadTime = 100 } = {}) {
  const reported = {
    type: 'artifact_creation_reported',
    artifact_fingerprint: WEB,
    artifact_name: 'shop/web:1',
    template_reference_name: 'web',
    git_commit: '1'.repeat(40),
    repo_info: {
      repo_id: '4711',
      name: 'acme/shop',
      url: 'https://gitlab.com/acme/shop',
      provider: 'gitlab',
      description: null,
    },
  };
  const attested = (type: string, name: string, as: string, compliant: boolean) => {
    return { type, template_reference_name: name, attestation_type: as, is_compliant: compliant };
  };
  const of = { artifact_fingerprint: WEB, artifact_name: 'shop/web:1', target_artifact: 'web' };
  const awaited = {
    ...attested('trail_attestation_for_artifact_reported', 'tests', 'junit', true),
    target_artifact: 'web',
  };
  const status = (name: string, type: string, compliant: boolean) => ({
    ...{ attestation_name: name, attestation_type: type, attestation_id: 'an id', overridden_attestation_id: null },
    ...{ status: 'COMPLETE', is_compliant: compliant, unexpected: true },
  });
  const trail = {
    name: 'build-1',
    flow: { name: 'web' },
    template: { content: 'version: 1\n\ntrail:\n  artifacts:\n    - name: web\n' },
    compliance_state: 'NON-COMPLIANT',
    is_compliant: false,
    compliance_status: {
      status: 'NON-COMPLIANT',
      is_compliant: false,
      attestations_statuses: [status('jokes', 'custom:jokes', false)],
      artifacts_statuses: {
        web: {
          artifact_fingerprint: WEB,
          artifact_id: 'an id',
          status: 'COMPLIANT',
          is_compliant: true,
          attestations_statuses: [status('tests', 'junit', true), status('scan', 'snyk', true)],
          unexpected: false,
          evaluated_at: DAY,
          flow_template_id: 'an id',
        },
      },
    },
    events: [
      { ...reported, timestamp: DAY + 20, git_commit_info: { ...commit('1', DAY), branch: 'late' } },
      { ...reported, timestamp: DAY + 10, git_commit_info: commit('1', DAY) },
      { ...attested('artifact_attestation_reported', 'scan', 'snyk', true), ...of, timestamp: DAY + 12 },
      { ...attested('trail_attestation_reported', 'jokes', 'custom:jokes', false), timestamp: DAY + 11 },
      { ...awaited, timestamp: DAY + 9, git_commit_info: commit('1', DAY) },
      { type: 'artifact_started_running', artifact_fingerprint: WEB, timestamp: DAY + 99.9 },
      { type: 'artifact_started_running', artifact_fingerprint: WEB, timestamp: DAY + 50.5 },
    ],
  };
  const flow = (name: string, digit: string, timestamp: number) => ({
    flow_name: name,
    trail_name: 'build-2',
    template_reference_name: 'jobs',
    git_commit: digit.repeat(40),
    commit_url: `https://github.com/acme/${name}/commit/${digit.repeat(40)}`,
    git_commit_info: commit(digit, timestamp),
    // No commit is younger than what was built from it: then nobody knows.
    commit_lead_time: timestamp > DAY + 200 ? null : DAY + 200 - timestamp,
    artifact_compliance_in_flow: true,
    flow_reasons_for_non_compliance: [],
  });
  const [isBuild, isNot] = [{ text: 'flow.tags.kind == "build"' }, { text: 'flow.tags.kind != "build"' }];
  const [approved, excepted] = ['pull_request', 'snyk'].map((type) => ({ name: '*', type, must_be_compliant: true }));
  const resolved = (status: string | null, ...types: string[]) =>
    ['jobs', 'promotion'].map((flow_name, i) => ({
      type: types[i],
      context: { flow_name, trail_name: 'build-2', artifact_status: status },
    }));
  const optional = { required: false, exceptions: [] };
  const evaluations = [
    {
      rule: { type: 'provenance', definition: { required: true, exceptions: [{ if: isNot }] } },
      ...{ satisfied: true, ignored: false },
      resolutions: resolved(null, 'rule_satisfied', 'rule_not_applicable'),
    },
    {
      rule: { type: 'trail-compliance', definition: optional },
      ...{ satisfied: null, ignored: true },
      resolutions: resolved('COMPLIANT', 'rule_not_applicable', 'rule_not_applicable'),
    },
    {
      rule: { type: 'attestation', definition: { if: isBuild, ...approved } },
      ...{ satisfied: true, ignored: false },
      resolutions: resolved(null, 'rule_satisfied', 'rule_not_applicable'),
    },
    {
      rule: { type: 'attestation', definition: { if: isNot, ...excepted } },
      ...{ satisfied: false, ignored: false },
      resolutions: resolved(null, 'rule_not_applicable', 'missing_attestation'),
    },
  ];
  const dump = {
    schema_version: '1',
    artifacts: {
      provenance: { required: true, exceptions: [{ if_condition: isNot }] },
      trail_compliance: optional,
      attestations: [
        { if_condition: isBuild, ...approved },
        { if_condition: isNot, ...excepted },
      ],
    },
  };
  const applied = { id: 'an id', name: 'build', version: 2, policy_dump: dump, failing_artifacts: [JOBS, 'another'] };
  const jobs = {
    name: 'shop/jobs:1',
    fingerprint: JOBS,
    creationTimestamp: [DAY + 300, DAY + 200],
    annotation: { type: 'started', was: 0, now: 2 },
    flow_name: 'jobs',
    git_commit: '2'.repeat(40),
    commit_url: `https://github.com/acme/jobs/commit/${'2'.repeat(40)}`,
    commit_lead_time: leadTime,
    compliant: false,
    policy_decisions: [
      { policy_name: 'build', policy_version: 2, status: 'NON-COMPLIANT', rule_evaluations: evaluations },
    ],
    reasons_for_incompliance: [
      "policy 'build': the '*' attestation of type snyk is missing in trail 'build-2' of flow 'promotion'",
    ],
    flows: [flow('jobs', '2', DAY + 100), flow('promotion', '3', DAY + 400)],
  };
  const gone = { ...jobs, fingerprint: 'c3'.repeat(32), annotation: { type: 'exited', was: 1, now: 0 }, flows: [] };
  return {
    'trail.json': trail,
    'snapshot.json': { artifacts: [gone, jobs], applied_policies: [applied] },
    'other.json': {},
  };
}

describe('a replay of recorded answers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'replay-spec-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function replay(files: object, ...args: string[]) {
    for (const [name, answer] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(answer));
    const all = [join(__dirname, 'replay.mjs'), folder, ...args];
    return spawnSync(process.execPath, all, { encoding: 'utf8', timeout: 60_000 });
  }

  it('fails on a folder that is not there, and on one without recorded answers', () => {
    const none = spawnSync(process.execPath, [join(__dirname, 'replay.mjs'), join(folder, 'none')], {
      encoding: 'utf8',
    });
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('There is no folder')]);
    const empty = replay({ 'other.json': {} });
    expect([empty.status, empty.stderr]).toEqual([1, expect.stringContaining('no recorded trail or snapshot')]);
  });

  it('finds everything as recorded: first reports, both flows, the earliest instance', () => {
    const { status, stdout, stderr } = replay(record());
    expect(stdout).not.toContain('DIFFERS');
    expect(stdout).toContain('flow promotion, commit_lead_time: null');
    expect(stdout).toContain(
      `organization list, deployed_at and lead_time: {"deployed_at":${DAY + 50},"lead_time":50}`,
    );
    expect(stdout).toMatch(/comparisons, 0 differ\n$/);
    expect(stderr).toContain(`reported 0 instances at ${DAY + 49}: Report processed`);
    expect(stderr).toContain(`reported 3 instances at ${DAY + 300}: Report processed, snapshot 3 created`);
    expect(stderr).toContain('other.json is neither');
    expect(status).toBe(0);
  });

  it('compares statuses and what was attested field by field', () => {
    const { stdout } = replay(record());
    expect(stdout).toMatch(/^ok {7}trail web\/build-1, artifact web, attestations: .*"tests"/m);
    expect(stdout).toMatch(/^ok {7}trail web\/build-1, events of attestations/m);
    const other = record();
    other['trail.json'].compliance_status.artifacts_statuses.web.unexpected = true;
    expect(replay(other).stdout).toMatch(/^DIFFERS {2}trail web\/build-1, artifact web$/m);
  });

  it('compares what policies decided rule by rule, and which were applied', () => {
    const { stdout } = replay(record());
    expect(stdout).toMatch(/^ok {7}b2b2b2b2b2b2: policy_decisions: .*"policy_version":2/m);
    expect(stdout).toMatch(/^ok {7}b2b2b2b2b2b2: reasons_for_incompliance/m);
    expect(stdout).toMatch(/^ok {7}applied policies: .*"version":2/m);
    const other = record();
    other['snapshot.json'].artifacts[1]!.policy_decisions[0]!.rule_evaluations[2]!.resolutions[0]!.type = 'legacy_flow';
    expect(replay(other).stdout).toMatch(/^DIFFERS {2}b2b2b2b2b2b2: policy_decisions$/m);
  });

  it('tells a lead time that is not the recorded one, and fails', () => {
    const { status, stdout } = replay(record({ leadTime: 101 }));
    expect(stdout).toContain('snapshot, commit_lead_time\n           recorded  101\n           got       100');
    expect(stdout).toContain('2 differ');
    expect(status).toBe(1);
  });
});
