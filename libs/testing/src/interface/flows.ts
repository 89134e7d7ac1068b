import type { Operations } from './operation';

const evidence = '/attestations/{org}/{flow}/trail/{trail}';

/** Operations of flows, trails, artifacts and evidence. */
export const FLOWS: Operations = {
  'GET /flows/{org}': {
    query: 'search_by_name case_sensitive page per_page space_id* tag*',
    answer: '[Flow] | { data: [Flow] }',
  },
  'GET /flows/{org}/{flow}': { answer: 'Flow' },
  'PUT /flows/{org}/template_file': {
    form: '{ data_json: { name: text, description: text, visibility?: text | null }, template_file?: file }',
  },
  'PUT /flows/{org}/{flow}/archive': {},
  'PUT /flows/{org}/{flow}/rename': { body: '{ new_name: text }' },

  'GET /trails/{org}': {
    query: 'flow flow_tag fingerprint page per_page',
    answer: '{ data: [Trail], pagination?: Numbered | null }',
  },
  'GET /trails/{org}/{flow}': {
    query: 'page per_page',
    answer: '{ data: [Trail], pagination?: Numbered | null } | [Trail]',
  },
  'PUT /trails/{org}/{flow}': {
    form: `{ data_json: { name: text, description?: text | null, git_commit_info?: Commit | null, repo_info?: Repo | null,
      origin_url?: text | null, external_urls?: Urls | null, user_data?: Data | null }, template_file?: file }`,
  },
  'GET /trails/{org}/{flow}/{trail}': { answer: 'Trail' },
  'GET /trails/{org}/{flow}/{trail}/audit_package': { file: 'application/gzip' },
  'GET /trails/{org}/{flow}/{trail}/audit_pdf': { file: 'application/pdf' },

  'GET /artifacts/{org}': { query: 'flow_name repo_name page per_page', answer: '[ListedArtifact]' },
  'POST /artifacts/{org}/{flow}': {
    body: `{ fingerprint: text, filename: text, build_url: text, commit_url: text, trail_name?: text | null,
      template_reference_name?: text | null, description?: text | null, git_commit?: text | null, git_commit_info?: Commit | null,
      repo_info?: Repo | null, commits_list?: [Commit] | null, repo_url?: text | null, is_compliant?: bool | null,
      template?: text | [text] | null, external_urls?: Urls | null, annotations?: object | null, user_data?: Data | null }`,
  },
  'GET /artifacts/{org}/{flow}/commit_sha/{sha}': { query: 'trail', answer: '[Artifact]' },
  'GET /artifacts/{org}/{flow}/fingerprint/{fingerprint}': { query: 'trail attestation_id', answer: 'Artifact' },
  'GET /artifacts/{org}/{flow}/{fingerprint}/audit_package': { file: 'application/gzip' },
  'GET /artifacts/{org}/{flow}/{fingerprint}/latest_commit': {
    query: 'branch',
    answer: '{ latest_commit: text | null }',
  },
  'GET /search/{org}/sha/{value}': {
    answer: `{ artifacts: [{ fingerprint: text, name: text, has_provenance: bool, git_commit: text, pipeline: text, flow: text,
      trail: text, template_reference_name: text, build_url: text, commit_url: text, compliance_state: text, running_in: [text],
      exited_from: [text], html_url: text, api_url: text, history: [any] }] }`,
  },
  'GET /asserts/{org}/fingerprint/{fingerprint}': {
    query: 'flow_name environment_name policy_name*',
    answer: `{ fingerprint: text, flow: text, trail: text, compliant: bool, compliance_status: Verdict | null, html_url: text, scope: text,
      flows?: [{ flow: text, trail: text, compliant: bool, compliance_status: Verdict | null, html_url: text }] | null,
      policy_evaluations?: [{ policy_name: text, policy_version: int, status: text, rule_evaluations?: [{
        rule: { type: text, definition: { type: text } | {} }, resolutions?: [{ type: text }] }] }] | null,
      allow_listing?: { allowlist_id: text, allowed_by_user_id: text, timestamp: number, description: text } | null }`,
  },

  'GET /attestations/system-attestation-types': {},
  'GET /attestations/{org}': {
    query: 'attestation_id name name_regex flow* type* is_compliant from_timestamp to_timestamp after per_page',
    answer: '{ data: [object], pagination?: Numbered | null }',
  },
  'GET /attestations/{org}/list_attestations_for_criteria': {
    query: 'flow_name commit_list* attestation_name attestation_id attestation_type',
    answer: '{ *: [object] }',
  },
  'GET /attestations/{org}/{flow}': {
    query: 'page per_page from_timestamp to_timestamp',
    answer: '{ data: [object], pagination?: Numbered | null }',
  },
  'GET /attestations/{org}/{flow}/artifact/{fingerprint}/{name}': { answer: '[object]' },
  [`GET ${evidence}/{name}`]: { answer: '[object]' },
  [`GET ${evidence}/attestation/{id}/evidence`]: { file: '*/*' },
  ...attests('generic', 'is_compliant: bool'),
  ...attests('custom', 'type_name: text, attestation_data: json'),
  ...attests(
    'jira',
    'jira_results: [closed { issue_id: text, issue_url: text, issue_exists: bool, issue_fields?: object }]',
  ),
  ...attests(
    'junit',
    `junit_results: [closed { name: text, failures: int, errors: int, skipped: int, total: int, duration: number,
      timestamp?: number | null }]`,
  ),
  ...attests('pull_request', 'git_provider: text, pull_requests: [OlderPullRequest | PullRequest]'),
  ...attests(
    'snyk',
    `snyk_results: closed { schema_version?: int, tool: closed { name: text, version: text }, results: [closed {
      low_count: int, medium_count: int, high_count: int, low?: [Vulnerability] | null, medium?: [Vulnerability] | null,
      high?: [Vulnerability] | null }] }`,
  ),
  ...attests(
    'sonar',
    `sonar_results: { serverUrl?: text | null, taskId?: text | null, status?: text | null, analysedAt: text, revision: text,
      changedAt?: text | null, project: { name?: text, key: text, url: text }, qualityGate?: { name?: text | null, status: text,
      conditions: [{ metric: text, errorThreshold: text, operator: text, status: text, value?: text | null,
      onLeakPeriod?: bool | null }] } | null }`,
  ),
  ...attests('system', 'type_name: text, attestation_data: json', ''),
  [`POST ${evidence}/override`]: {
    body: 'closed { ...Evidence, reason: text, new_compliance_status: bool, original_attestation_type: text }',
  },

  'GET /custom-attestation-types/{org}': {},
  'POST /custom-attestation-types/{org}': {
    form: `{ data_json: closed { name: text, description?: text | null,
      evaluator?: { content_type?: text, rules: [text] } | { content_type?: text } | null }, type_schema?: file }`,
  },
  'GET /custom-attestation-types/{org}/{name}': { query: 'version' },
  'PUT /custom-attestation-types/{org}/{name}/archive': {},
};

/** The operation that takes attestations of a type. */
function attests(type: string, own: string, kind = 'closed'): Operations {
  const data = `${kind} { ...Evidence, ${own} }`;
  return { [`POST ${evidence}/${type}`]: { form: `{ data_json: ${data}, attachment_file?: file }` } };
}
