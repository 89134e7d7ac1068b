import { type Command, commit, fingerprint, get, trail } from './commands';

const environment = `{ name: text, type: text, description: text, last_modified_at: number, last_reported_at: number | null,
  state: bool | null, tags: { *: text }, policies: [text] }`;
const pages = 'page: int, total_pages: int, total_count: int';
const snapshot = `{ type: text, index: int, compliant: bool, artifacts: [{ name: text, fingerprint: text, compliant: bool | null,
  creationTimestamp: [int], pods: { *: { namespace: text } } | null, annotation: { type: text, was: int, now: int },
  flow_name: text | null, git_commit: text }] }`;
const only =
  '{ snapshot_id: text, artifacts: [{ fingerprint: text, flow: text, name: text, commit_url: text, most_recent_timestamp: int, instance_count: int }] }';
const statuses =
  '[{ attestation_name: text, attestation_type: text, attestation_id: text | null, status: text, is_compliant: bool | null, unexpected: bool }]';
const trailRead = `{ name: text, description: text, compliance_state: text, is_compliant: bool, created_at: number, last_modified_at: number,
  git_commit_info?: { sha1: text, author: text, message: text, timestamp: number } | null, events: [{ type: text, timestamp: number }],
  compliance_status: { status: text, attestations_statuses: ${statuses},
    artifacts_statuses: { *: { status: text, is_compliant: bool, attestations_statuses: ${statuses} } } } }`;
const artifact = `{ filename: text, flow_name: text, fingerprint: text, git_commit: text, commit_url: text, build_url: text, html_url: text,
  state: text, created_at: number | text, running: [{ environment_name: text, snapshot_index: int }],
  exited: [{ environment_name: text, snapshot_index: int }], history: [{ event: text, timestamp: number }] }`;
const attestation =
  '{ attestation_id: text, attestation_name: text, attestation_type: text, is_compliant: bool, created_at: number, html_url: text }';
const assertion = `{ compliant: bool, scope: text, html_url: text, flows: [{ flow: text, trail: text | null }],
  policy_evaluations: [{ policy_name: text, status: text, rule_evaluations: [{ rule: { type: text, definition: object },
    satisfied: bool | null, ignored: bool, resolutions: [{ type: text, context: object }] }] }] }`;
const policy = `{ name: text, description: text, created_at: number, created_by: text, last_modified_at: number, consuming_envs: [text],
  versions: [{ version: int, comment: text, timestamp: number, policy_yaml: text }] }`;
const control =
  '{ identifier: text, name: text, description: text, version: int, archived: bool, created_at: number, tags: { *: text }, links: { *: text } }';
const repo = '{ id: text, name: text, url: text, provider: text | null, tags: { *: text } }';
const flowRead = '{ name: text, description: text, visibility: text, tags: { *: text } }';

/** What can be read afterwards. */
export const READING: readonly Command[] = [
  get('list environments', '/environments/acme', `[${environment}]`),
  get(
    'list environments --page',
    '/environments/acme?page=1&per_page=15',
    `{ ${pages}, environments: [${environment}] }`,
  ),
  get('get environment', '/environments/acme/jar', environment),
  get(
    'log environment',
    '/environments/acme/jar/events?end=NOW&interval=&page=1&per_page=15&reverse=false&start=1',
    '[{ snapshot_index: int, artifact_name: text, sha256: text, description: text, reported_at: number, pipeline: text }]',
  ),
  get(
    'list snapshots',
    '/snapshots/acme/jar?interval=&page=1&per_page=15&reverse=false',
    '[{ index: int, from: number, to: number, duration: number, compliant: bool }]',
  ),
  get('get snapshot', '/snapshots/acme/jar/-1', snapshot),
  get('get snapshot', '/snapshots/acme/shelf-K8S/%231', snapshot),
  get('get snapshot', '/snapshots/acme/jar/%40%7Bnow%7D', snapshot),
  get('assert snapshot', '/snapshots/acme/jar/1', '{ compliant: bool }'),
  get(
    'diff snapshots',
    '/env-diff/acme?snappish1=jar%231&snappish2=shelf-K8S',
    `{ snappish1: ${only}, snappish2: ${only}, not-changed: { artifacts: [{ instance_count: int }] },
      changed: { artifacts: [{ name: text, s1_instance_count: int, s2_instance_count: int }] } }`,
  ),
  get('list flows', '/flows/acme', `[${flowRead}]`),
  get(
    'list flows --page',
    '/flows/acme?case_sensitive=false&page=1&per_page=20&search_by_name=JAM',
    `{ data: [${flowRead}], pagination: { page: int, page_count: int, total: int } }`,
  ),
  get(
    'get flow',
    '/flows/acme/jam',
    '{ name: text, description: text, visibility: text, template: text | [text], tags: { *: text }, last_deployment_at?: number | null }',
  ),
  get(
    'list trails',
    '/trails/acme?flow=jam&page=1&per_page=20',
    '{ data: [{ name: text, description: text | null, compliance_state: text }], pagination: { page: int, page_count: int, total: int } }',
  ),
  get('get trail', '/trails/acme/jam/cut-1', trailRead),
  get(
    'list artifacts',
    '/artifacts/acme?flow_name=jam&page=1&per_page=15',
    '[{ git_commit: text, filename: text, fingerprint: text, state: text, created_at: number }]',
  ),
  get(
    'list artifacts',
    '/artifacts/acme?page=1&per_page=15&repo_name=acme%2Fjam',
    '[{ git_commit: text, filename: text, fingerprint: text, state: text, created_at: number }]',
  ),
  get('get artifact', `/artifacts/acme/jam/fingerprint/${fingerprint}`, artifact),
  get('get artifact', `/artifacts/acme/jam/commit_sha/${commit}?trail=cut-1`, `[${artifact}]`),
  get(
    'attest artifact',
    `/artifacts/acme/jam/${fingerprint}/latest_commit?branch=trunk`,
    '{ latest_commit: text | null }',
  ),
  get('get attestation', `${trail}/taste`, `[${attestation}]`),
  get('get attestation', `/attestations/acme/jam/artifact/${fingerprint}/seal`, `[${attestation}]`),
  get(
    'list attestation-types',
    '/custom-attestation-types/acme',
    '[{ name: text, archived: bool, versions: [object] }]',
  ),
  get(
    'get attestation-type',
    '/custom-attestation-types/acme/sugar?version=1',
    '{ name: text, org: text, archived: bool, versions: [{ version: int, timestamp: number, created_by: text, type_schema: object | null, evaluator: { content_type: text, rules: [text] } | null }] }',
  ),
  get('assert artifact', `/asserts/acme/fingerprint/${fingerprint}?flow_name=jam`, assertion),
  get('assert artifact', `/asserts/acme/fingerprint/${fingerprint}?environment_name=jar`, assertion),
  get('assert artifact', `/asserts/acme/fingerprint/${fingerprint}?policy_name=tasted`, assertion),
  get('evaluate trail', '/trails/acme/jam/cut-1', trailRead),
  get('evaluate trails', '/trails/acme/jam/cut-1', trailRead),
  get('list policies', '/policies/acme', `[${policy}]`),
  get('get policy', '/policies/acme/tasted', policy),
  get('list controls', '/controls/acme?page=1&per_page=15', `{ ${pages}, controls: [${control}] }`),
  get('get control', '/controls/acme/JAM-1', control),
  get('list repos', '/repos/acme?page=1&per_page=15', `{ ${pages}, repos: [${repo}] }`),
  get('get repo', '/repos/acme/acme/jam?provider=github', repo),
  get(
    'search',
    `/search/acme/sha/${commit.slice(0, 9)}`,
    '{ resolved_to: { type: text, full_match: text }, artifacts: [{ fingerprint: text, name: text, flow: text, git_commit: text, has_provenance: bool, commit_url: text, build_url: text, html_url: text, compliance_state: text, running_in: [text], exited_from: [text], history: [{ event: text, timestamp: number }] }] }',
  ),
];
