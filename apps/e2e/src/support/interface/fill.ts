import { createHash } from 'node:crypto';
import { itemOf } from '../kinds';
import { digest, item, policyYaml, sha1, YESTERDAY } from '../samples';
import type { Client } from './organization';
import { PUBLISHED_KINDS } from './published-kinds';

const TEMPLATE = `version: 1
trail:
  attestations: [{name: review, type: pull_request}]
  artifacts: [{name: web, attestations: [{name: tests, type: junit}]}]
`;
const EVIDENCE = '/attestations/{org}/{flow}/trail/{trail}';

/** What clients send about a commit. */
const commitOf = (sha: string) => ({
  sha1: sha,
  message: 'Sell tea',
  author: 'Ada',
  author_username: 'ada',
  branch: 'main',
  timestamp: YESTERDAY,
  url: `https://github.com/acme/tea/commit/${sha}`,
  parents: [sha1('parent')],
  verified: true,
  signature_state: 'valid',
});

/** Fields that evidence and trails share. */
function common(repo: string, commit: string) {
  return {
    description: 'Why',
    origin_url: 'https://ci.example.com/7',
    git_commit_info: commitOf(commit),
    repo_info: {
      name: repo,
      url: `https://github.com/${repo}`,
      id: repo,
      description: 'Tea',
      provider: 'github',
      namespace_path: ['acme'],
      additional_info: { stars: 7 },
    },
    external_urls: { log: { href: 'https://log.example.com', fingerprint: digest('log') } },
    user_data: { run: 7 },
  };
}

/** Makes flows, trails, artifacts and evidence with bodies that have all that they may have. */
export async function fillFlows(client: Client): Promise<void> {
  const { names } = client;
  const { flow = '', trail = '', fingerprint = '', sha = '', repo_name = '', type_name = '' } = names;
  const data_json = { name: flow, description: 'Tea', visibility: 'private' };
  await client.send('PUT /flows/{org}/template_file', { form: { data_json }, files: { template_file: TEMPLATE } });
  const shared = common(repo_name, sha);
  await client.send('PUT /trails/{org}/{flow}', {
    form: { data_json: { name: trail, ...shared } },
    files: { template_file: TEMPLATE },
  });
  const { origin_url: _, ...ofArtifact } = shared;
  const artifact = {
    fingerprint,
    filename: 'tea/web:1',
    ...ofArtifact,
    git_commit: sha,
    repo_url: '',
    is_compliant: true,
    build_url: 'https://ci.example.com/7',
    commit_url: `https://github.com/${repo_name}/commit/${sha}`,
    annotations: { tool: 'make' },
  };
  const trailed = { ...artifact, trail_name: trail, template_reference_name: 'web', template: ['tests'] };
  await client.send('POST /artifacts/{org}/{flow}', { json: trailed });
  const legacy = {
    ...artifact,
    fingerprint: digest(`${flow} legacy`),
    template: 'tests',
    commits_list: [commitOf(sha)],
  };
  await client.send('POST /artifacts/{org}/{flow}', { json: legacy });
  const evidence = {
    ...shared,
    annotations: { tool: 'make' },
    artifact_fingerprint: fingerprint,
    target_artifacts: ['web'],
  };
  const attest = (type: string, fields: object, attachment_file = 'evidence') =>
    client.send(`POST ${EVIDENCE}/${type}`, {
      form: { data_json: { ...evidence, ...fields } },
      files: { attachment_file },
    });
  await attest('generic', { attestation_name: 'scan', is_compliant: true });
  const suite = { name: 'unit', failures: 0, errors: 0, skipped: 0, total: 2, duration: 1.5, timestamp: YESTERDAY };
  await attest('junit', { attestation_name: 'tests', junit_results: [suite] });
  const issue = {
    issue_id: 'TEA-1',
    issue_url: 'https://jira.example.com/TEA-1',
    issue_exists: true,
    issue_fields: { a: 1 },
  };
  await attest('jira', { attestation_name: 'issue', jira_results: [issue] });
  const weakness = { id: 'W-1', message: 'Weak', locations: [{ uri: 'a.ts', lines: '1' }], priority_score: 7 };
  const scan = { low_count: 1, medium_count: 1, high_count: 1, low: [weakness], medium: [weakness], high: [weakness] };
  const snyk_results = { schema_version: 1, tool: { name: 'Snyk', version: '1' }, results: [scan] };
  await attest('snyk', { attestation_name: 'snyk', snyk_results });
  await attest('sonar', { attestation_name: 'sonar', sonar_results: SONAR });
  const older = { url: 'https://pr.example.com/1', state: 'MERGED', merge_commit: sha, approvers: ['ada'] };
  const pull = {
    url: 'https://pr.example.com/2',
    state: 'MERGED',
    author: 'bea',
    title: 'Sell tea',
    created_at: YESTERDAY,
    merged_at: YESTERDAY,
    head_ref: 'tea',
    base_ref: 'main',
    merge_commit: sha,
    commits: [commitOf(sha)],
    approvers: [{ username: 'ada', state: 'APPROVED', timestamp: YESTERDAY }],
  };
  await attest('pull_request', { attestation_name: 'review', git_provider: 'github', pull_requests: [older, pull] });
  const make = (evaluator: object) => ({
    form: { data_json: { name: type_name, description: 'Coverage', evaluator } },
    files: { type_schema: '{"type":"object"}' },
  });
  await client.send('POST /custom-attestation-types/{org}', make({ content_type: 'default' }));
  await client.send('POST /custom-attestation-types/{org}', make({ content_type: 'jq', rules: ['.coverage > 1'] }));
  await attest('custom', { attestation_name: 'custom', type_name, attestation_data: { coverage: 9 } });
  const decision = { attestation_name: 'decided', type_name: 'decision', control: names['identifier'] };
  await attest('system', { ...decision, attestation_data: { is_compliant: true } });
  const bom = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[]}';
  const original_fingerprint = createHash('sha256').update(bom).digest('hex');
  await attest(
    'system',
    { attestation_name: 'bom', type_name: 'sbom', attestation_data: { original_fingerprint } },
    bom,
  );
  await client.send(`POST ${EVIDENCE}/override`, {
    json: {
      ...evidence,
      attestation_name: 'snyk',
      reason: 'Accepted',
      new_compliance_status: true,
      original_attestation_type: 'snyk',
    },
  });
}

const SONAR = {
  serverUrl: 'https://sonar.example.com',
  taskId: 'T1',
  status: 'SUCCESS',
  analysedAt: '2026-01-01T00:00:00+0000',
  revision: sha1('sonar'),
  changedAt: '2026-01-01T00:00:00+0000',
  project: { name: 'Tea', key: 'tea', url: 'https://sonar.example.com/tea' },
  qualityGate: {
    name: 'Way',
    status: 'OK',
    conditions: [
      {
        metric: 'coverage',
        errorThreshold: '80',
        operator: 'LESS_THAN',
        status: 'OK',
        value: '90',
        onLeakPeriod: false,
      },
    ],
  },
};

/** Makes environments, their reports, policies and allow-lists. */
export async function fillEnvironments(client: Client): Promise<void> {
  const { names } = client;
  const { env = '', fingerprint = '', policy = '' } = names;
  const payload = { name: policy, description: 'Proven', type: 'env', comment: 'First' };
  const policy_file = policyYaml('  provenance: {required: true}\n');
  await client.send('PUT /policies/{org}', { form: { payload }, files: { policy_file } });
  const put = (name: string, type: string, included: readonly string[] | null = null) =>
    client.send('PUT /environments/{org}', {
      json: {
        name,
        type,
        description: 'Tea',
        include_scaling: false,
        require_provenance: false,
        included_environments: included,
        policies: [policy],
      },
    });
  for (const { kind } of PUBLISHED_KINDS) await put(kind === 'docker' ? env : `${env}-${kind}`, kind);
  const logical = `${env}-all`;
  await put(logical, 'logical', [env]);
  const changes = { description: 'All', include_scaling: false, included_environments: [env], policies: [policy] };
  await client.send('PATCH /environments/{org}/{env}', { json: changes }, { env: logical });
  await client.send(
    'PUT /environments/{org}/{env}/join',
    { json: { physical_env_name: `${env}-server` } },
    { env: logical },
  );
  for (const name of ['renamed', 'archived']) await put(`${env}-${name}`, 'docker');
  const renaming = { json: { new_name: `${env}-new` } };
  await client.send('PUT /environments/{org}/{env}/rename', renaming, { env: `${env}-renamed` });
  await client.send('PUT /environments/{org}/{env}/archive', { json: null }, { env: `${env}-archived` });
  const names_ = { json: { policy_names: [policy] } };
  await client.send('DELETE /environments/{org}/{env}/policies', names_);
  await client.send('POST /environments/{org}/{env}/policies', names_);
  for (const { kind, says, saysOtherwise } of PUBLISHED_KINDS) {
    const own = kind === 'docker' ? env : `${env}-${kind}`;
    const reported = (artifacts: unknown) =>
      client.send(`PUT /environments/{org}/{env}/report/${kind}`, { json: { type: kind, artifacts } }, { env: own });
    await reported([itemOf({ says }, `${own}:1`)]);
    const next = [itemOf({ says }, `${own}:1`), itemOf({ says: saysOtherwise }, `${own}:2`)];
    await reported(kind === 'docker' ? [...next, item({ 'tea/web:1': fingerprint }, YESTERDAY + 600)] : next);
  }
  const allowed = { artifact_name: 'nginx:1.27', artifact_fingerprint: digest('nginx'), description: 'By its vendor' };
  await client.send('PUT /allowlists/{org}/{env}', { json: allowed });
}

/** Makes controls and service accounts. */
export async function fillControls(client: Client): Promise<void> {
  const { identifier = '', name = '' } = client.names;
  const links = { wiki: 'https://wiki.example.com' };
  await client.send('POST /controls/{org}', { json: { identifier, name: 'Review', description: 'Two', links } });
  const control = { json: { name: 'Reviews', description: 'Two people', links } };
  await client.send('PUT /controls/{org}/{identifier}', control);
  await client.send('POST /controls/{org}/{identifier}/archive', { json: null });
  await client.send('POST /controls/{org}/{identifier}/unarchive', { json: null });
  await fillAccounts(client, name);
}

/** Makes notifications of environments and of flows. */
export async function fillNotifications(client: Client): Promise<void> {
  const { names } = client;
  const { env = '', flow = '' } = names;
  const times = { last_success_at: null, last_failure_at: null };
  const context = { channel_id: 'C1', channel_name: 'tea', team_id: 'T1' };
  const targets = [
    { type: 'SLACK', webhook: 'http://127.0.0.1:1/slack', context, ...times },
    { type: 'WEBHOOK', webhook: 'http://127.0.0.1:1/hook', payload_version: '1.0', ...times },
    { type: 'EMAIL', emails: ['tea@example.com'], ...times },
  ];
  const alert = { type: 'env', targets, environments: [env], triggers: ['ON_NON_COMPLIANT_ENV', 'ON_COMPLIANT_ENV'] };
  const notifications = '/organizations/{org}/environments_notifications';
  await client.send(`PUT ${notifications}`, { json: { name: 'alerts', ...alert } });
  await client.send('PUT /actions/{org}/environments', { json: { name: 'actions', ...alert } });
  await client.send('PUT /actions/{org}/environments', { json: { name: 'deleted', ...alert } });
  await client.send('PUT /actions/{org}/environments', { json: { name: 'removed', ...alert } });
  const triggers = ['ON_STARTED_TRAIL', 'ON_ATTESTED_PROVENANCE', 'ON_ATTESTATION', 'ON_APPROVAL', 'ON_RELEASE'];
  await client.send('PUT /actions/{org}/flows', {
    json: { name: 'trails', type: 'flow', targets, flows: [flow], triggers },
  });
  const listed = (await client.send(`GET ${notifications}`)) as { readonly name: string; readonly number: number }[];
  const numberOf = (of: string) => String(listed.find((notification) => notification.name === of)?.number ?? 0);
  names['n'] = numberOf('alerts');
  await client.send(`PUT ${notifications}/{n}`, { json: { name: 'alerts', ...alert } });
  await client.send(`DELETE ${notifications}/{n}`, { json: null }, { n: numberOf('removed') });
  await client.send('DELETE /actions/{org}/{n}', { json: null }, { n: numberOf('deleted') });
}

async function fillAccounts(client: Client, name: string): Promise<void> {
  const accounts = '/service-accounts/{org}';
  const keys = `${accounts}/{name}/api-keys`;
  await client.send(`POST ${accounts}`, { json: { name, description: 'Builds', privilege: 'member' } });
  await client.send(`POST ${accounts}`, { json: { name: `${name}-old`, description: null, privilege: 'reader' } });
  await client.send(`PATCH ${accounts}/{name}`, { json: { description: 'Builds tea', privilege: 'member' } });
  await client.send(`DELETE ${accounts}/{name}`, { json: null }, { name: `${name}-old` });
  const create = async () => {
    const key = await client.send(`POST ${keys}`, { json: { description: 'CI', expires_at: 4_000_000_000 } });
    return { id: (key as { readonly id?: string }).id ?? '' };
  };
  client.names['id'] = (await create()).id;
  const rotation = { json: { grace_period_hours: 24, expires_at: 4_000_000_000 } };
  await client.send(`POST ${keys}/{id}/rotate`, rotation, await create());
  await client.send(`DELETE ${keys}/{id}`, { json: null }, await create());
}

/** Tags what was made; archives and renames what nothing else needs. */
export async function fillNames(client: Client, repo: string): Promise<void> {
  const { env = '', flow = '', identifier = '', type_name = '' } = client.names;
  const json = { set_tags: { team: 'tea' }, remove_tags: ['colour'] };
  for (const [type, id] of [
    ['flow', flow],
    ['env', env],
    ['control', identifier],
    ['repo', repo],
  ] as const) {
    await client.send('PATCH /tags/{org}/{type}/{id}', { json }, { type, id });
  }
  for (const name of [`${flow}-renamed`, `${flow}-archived`]) {
    const data_json = { name, description: '', visibility: null };
    await client.send('PUT /flows/{org}/template_file', { form: { data_json } });
  }
  const renaming = { json: { new_name: `${flow}-new` } };
  await client.send('PUT /flows/{org}/{flow}/rename', renaming, { flow: `${flow}-renamed` });
  await client.send('PUT /flows/{org}/{flow}/archive', { json: null }, { flow: `${flow}-archived` });
  const data_json = { name: `${type_name}-old`, description: null, evaluator: null };
  await client.send('POST /custom-attestation-types/{org}', { form: { data_json } });
  await client.send('PUT /custom-attestation-types/{org}/{name}/archive', { json: null }, { name: `${type_name}-old` });
}
