import type { Operations } from './operation';

const notifications = '/organizations/{org}/environments_notifications';
const control = '/controls/{org}/{identifier}';
const keys = '/service-accounts/{org}/{name}/api-keys';
const repository = '/repos/{org}/{repo}';

/** Operations of policies, controls, repositories, notifications, organizations and access. */
export const OTHERS: Operations = {
  'GET /policies/{org}': { answer: '[Policy]' },
  'PUT /policies/{org}': {
    form: `{ payload: closed { name: text, description?: text, type?: text, comment?: text }, policy_file?: file }`,
    answer: 'Policy',
  },
  'GET /policies/{org}/{name}': { answer: 'Policy' },
  'GET /schemas/environment-policy/v1': {},
  'GET /schemas/flow-template/v1': {},

  'GET /controls/{org}': {
    query: 'page per_page sort_direction search tag* archived',
    answer: '{ ...Page, controls: [Control] }',
  },
  'POST /controls/{org}': {
    body: 'closed { identifier: text, name: text, description?: text | null, links?: { *: text } | null }',
    answer: 'Control',
  },
  'GET /controls/{org}/tags': {},
  [`GET ${control}`]: { answer: 'Control' },
  [`PUT ${control}`]: {
    body: 'closed { name?: text | null, description?: text | null, links?: { *: text } | null }',
    answer: 'Control',
  },
  [`POST ${control}/archive`]: { answer: 'Control' },
  [`POST ${control}/unarchive`]: { answer: 'Control' },
  [`GET ${control}/coverage`]: { query: 'page per_page search covered' },
  [`GET ${control}/decisions`]: {
    query: 'page per_page is_compliant from_timestamp to_timestamp flow_id* sort_direction',
  },
  [`GET ${control}/decisions/{id}`]: {},
  [`GET ${control}/versions`]: { query: 'page per_page sort_direction' },
  [`GET ${control}/versions/{n}`]: { answer: 'ControlVersion' },

  'GET /repos/{org}': {
    query: 'page per_page name search provider repo_id vcs_instance namespace sort_direction tag*',
    answer: '{ ...Page, repos: [{ name: text, url: text }] }',
  },
  'GET /repos/{org}/{repo}': { query: 'provider id', answer: '{ id: text, name: text, tags: { *: text } }' },
  'GET /repos/{org}/tags': {},
  'GET /repos/{org}/filter-options': { query: 'provider vcs_instance namespace tag*' },
  'GET /repos/{org}/live-artifacts/{repo}': {
    query: 'provider id',
    answer: `{ live_artifacts: [{ environment_id: text, artifact_id: text, artifact_name: text, snapshot_index: int, started_at: number }],
      _embedded?: { artifacts: [{ id: text, fingerprint: text }], environments: [{ id: text, name: text, type: text }] } | null }`,
  },
  [`GET ${repository}/deployments`]: {
    query: 'page per_page env* start_ts end_ts',
    answer: '{ ...Page, deployments: [Deployment] }',
  },
  [`GET ${repository}/deployment-statistics`]: { query: 'env* start_ts end_ts' },
  'GET /builds/{org}': {
    query: 'page per_page repo_id repo_name repo_inner_id start_ts end_ts',
    answer: `{ ...Page, builds: [{ created_at: number, fingerprint: text, flow_name: text, trail_name: text,
      repo_info?: { name: text, repo_id: text } | null }] }`,
  },
  'GET /builds/{org}/statistics': { query: 'repo_id repo_name repo_inner_id start_ts end_ts' },

  [`GET ${notifications}`]: { answer: '[Notification]' },
  [`PUT ${notifications}`]: { body: 'Alert' },
  [`GET ${notifications}/{n}`]: { answer: 'Notification' },
  [`PUT ${notifications}/{n}`]: { body: 'Alert', answer: 'text' },
  [`DELETE ${notifications}/{n}`]: { answer: 'text' },
  'GET /actions/{org}': { answer: '[Action]' },
  'PUT /actions/{org}/environments': { body: 'Alert' },
  'PUT /actions/{org}/flows': { body: 'FlowAlert' },
  'GET /actions/{org}/{n}': { answer: 'Action' },
  'DELETE /actions/{org}/{n}': {},

  'GET /organizations/{org}': {
    answer: `{ name: text, kind: text, experimental_features_enabled: bool, created_at: number, last_modified_at: number }`,
  },
  'PATCH /tags/{org}/{type}/{id}': {
    body: 'closed { set_tags?: { *: text } | null, remove_tags?: [text] | null }',
  },
  'GET /membership-audit-log/{org}': {
    query: 'page per_page search event_type role* source* from_timestamp to_timestamp sort_by sort_dir',
    answer: `{ ...Page, events: [{ id: text, user: text, changed_by: text, role: text, previous_role: text, source: text,
      created_at: number }] }`,
  },
  'GET /user/default-org': { answer: '{ default_org_name: text | null }' },
  'PUT /user/{org}': {},

  'GET /service-accounts/{org}': { answer: '[Account]' },
  'POST /service-accounts/{org}': {
    body: '{ name: text, description?: text | null, privilege?: text }',
    answer: 'Account',
  },
  'GET /service-accounts/{org}/{name}': { answer: 'Account' },
  'PATCH /service-accounts/{org}/{name}': {
    body: '{ description?: text | null, privilege?: text | null }',
    answer: 'Account',
  },
  'DELETE /service-accounts/{org}/{name}': {},
  [`GET ${keys}`]: { answer: '[Key]' },
  [`POST ${keys}`]: { body: '{ description: text, expires_at?: int | null }', answer: 'NewKey' },
  [`GET ${keys}/{id}`]: { answer: 'Key' },
  [`DELETE ${keys}/{id}`]: { answer: 'text' },
  [`POST ${keys}/{id}/rotate`]: {
    body: '{ grace_period_hours?: int, expires_at?: int | null }',
    answer: '{ ...NewKey, grace_period_expires_at: number }',
  },
};
