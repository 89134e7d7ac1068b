import type { Operations } from './operation';

const environment = '/environments/{org}/{env}';

/** Operations of environments, their reports, snapshots and allow-lists. */
export const ENVIRONMENTS: Operations = {
  'GET /environments/{org}': {
    query: 'page per_page sort sort_direction space_id* name type* tag*',
    answer: '[Environment] | { ...Page, environments: [Environment] }',
  },
  'PUT /environments/{org}': {
    body: `closed { name: text, type: text, description: text, include_scaling?: bool | null, require_provenance?: bool | null,
      included_environments?: [text] | null, policies?: [text] | null }`,
  },
  [`GET ${environment}`]: { answer: 'Environment' },
  [`PATCH ${environment}`]: {
    body: `closed { description?: text | null, include_scaling?: bool | null, included_environments?: [text] | null,
      policies?: [text] | null }`,
  },
  [`PUT ${environment}/archive`]: {},
  [`PUT ${environment}/rename`]: { body: 'closed { new_name: text }' },
  [`PUT ${environment}/join`]: { body: 'closed { physical_env_name: text }' },
  [`POST ${environment}/policies`]: { body: 'closed { policy_names: [text] }' },
  [`DELETE ${environment}/policies`]: { body: 'closed { policy_names: [text] }' },

  [`GET ${environment}/events`]: {
    query: 'interval page per_page reverse repo_name* start_ts end_ts start end',
    answer: '[{ type: text, flows?: [{ flow_name: text }] | null }]',
  },
  [`GET ${environment}/auditlog`]: {
    query: 'from_timestamp to_timestamp event_types flow_names repo_names',
    file: 'text/csv',
  },
  [`GET ${environment}/deployments`]: { query: 'from to page page_size' },
  [`GET ${environment}/deployment_frequency`]: { query: 'flow_id' },

  ...reports('docker', 'closed { ...Item }'),
  ...reports('server', 'closed { ...Item }'),
  ...reports('S3', 'closed { ...Item }'),
  ...reports('lambda', 'closed { ...Item }'),
  ...reports('ECS', 'closed { ...Item, taskArn: text, cluster_name?: text | null, service_name?: text | null }'),
  ...reports('K8S', 'closed { ...Item, podName: text, namespace: text, owners?: [Owner] | null }'),
  ...reports('azure-apps', 'closed { ...Item, digests_source: text, app_name: text, app_kind: text }'),
  ...reports(
    'cloud-run',
    'closed { ...Item, kind: text, serviceName?: text | null, revisionName?: text | null, jobName?: text | null }',
  ),

  'GET /snapshots/{org}/{env}': {
    query: 'page per_page interval reverse',
    answer: '[{ index: int, from: number, to: number, compliant: bool, duration: number }]',
  },
  'GET /snapshots/{org}/{env}/{expr}': {
    answer: `{ index: int, is_latest: bool, timestamp: number, type: text, compliant: bool, html_url: text,
      artifact_compliance_count: { *: int }, artifacts: [object], applied_policies: [object] }`,
  },
  'GET /env-diff/{org}': {
    query: 'snappish1! snappish2!',
    answer: '{ snappish1: Running, snappish2: Running, changed: Running, not-changed: Running }',
  },
  'GET /allowlists/{org}': {
    answer: `[{ artifact_name: text, fingerprint: text, environment_name: text, timestamp: number, user_name: text,
      description: text }]`,
  },
  'PUT /allowlists/{org}/{env}': {
    body: 'closed { artifact_name: text, artifact_fingerprint: text, description: text }',
    answer: '{ artifact_name: text, artifact_fingerprint: text, description: text }',
  },
  'GET /deployments/{org}': {
    query: 'page per_page repo_name env_name start_ts end_ts',
    answer: '{ ...Page, deployments: [Deployment] }',
  },
  'GET /deployments/{org}/{env}/{fingerprint}': {},
};

/** The operation that takes the reports of a kind. */
function reports(kind: string, item: string): Operations {
  return { [`PUT ${environment}/report/${kind}`]: { body: `closed { type?: text, artifacts: [${item}] }` } };
}
