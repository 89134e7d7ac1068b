import {
  deploymentLinksExample,
  type DetailedDeploymentPage,
  type OrgDeployment,
  type OrgDeploymentPage,
  type RepoDeployment,
  type RepoDeploymentPage,
} from '../../deployments/answers/deployment';
import { NO_CONTEXTS } from '../../environments/answers/context';
import type { EnvironmentAnswer } from '../../environments/answers/environment';
import type { SnapshotAnswer, SnapshotListItem } from '../../environments/answers/snapshot';
import type { FlowAnswer } from '../../flows/answers/flow';
import type { RepoAnswer, RepoPage } from '../../flows/answers/repo';
import { type CommitInfoAnswer, type ErrorBody, MADE_UP, pageExample, pageLinksExample } from './common';

/** Example answers for the OpenAPI document. The compiler and a spec check them with their shapes. */
const { host, sha, fingerprint } = MADE_UP;

const commit: CommitInfoAnswer = {
  sha1: sha,
  message: 'Sell tea',
  author: 'Ada <ada@example.com>',
  branch: 'main',
  timestamp: 1700000000,
  url: `https://github.com/acme/shop/commit/${sha}`,
};

const environment: EnvironmentAnswer = {
  org: 'acme',
  name: 'production',
  type: 'docker',
  description: 'Where customers are',
  last_modified_at: 1699990000,
  last_reported_at: 1700000900,
  last_changed_at: 1700000889,
  report_every: null,
  late_since: null,
  state: null,
  include_scaling: false,
  require_provenance: false,
  tags: {},
  space_id: 'root',
  policies: [],
  included_environments: null,
};

const flow: FlowAnswer = {
  id: '018bcfe5-6800-7000-8000-000000000001',
  name: 'shop-web',
  description: 'The web shop',
  visibility: 'private',
  org: 'acme',
  template: 'version: 1\n',
  repo_url: null,
  tags: {},
  space_id: 'root',
  last_deployment_at: 1700000889,
};

const repo: RepoAnswer = {
  id: '018bcfe5-6800-7000-8000-000000000002',
  name: 'acme/shop',
  url: 'https://github.com/acme/shop',
  provider: 'github',
  description: null,
  repo_id: '4711',
  tags: {},
  vcs_instance: 'github.com',
  namespace_path: ['acme'],
  additional_info: {},
  latest_activity: '2023-11-14T22:15:00.000Z',
  _links: {
    self: `${host}/api/v2/repos/acme/018bcfe5-6800-7000-8000-000000000002?id=018bcfe5-6800-7000-8000-000000000002`,
    deployments: `${host}/api/v2/repos/acme/018bcfe5-6800-7000-8000-000000000002/deployments`,
  },
  created_at: 1700000100,
  last_modified_at: 1700000100,
};
const repos: RepoPage = { repos: [repo], ...pageExample, _links: pageLinksExample('/repos/acme') };

const snapshots: readonly SnapshotListItem[] = [
  { index: 1, from: 1700000889, to: 0, duration: 120.5, compliant: false, is_judged: false },
];

const snapshot: SnapshotAnswer = {
  index: 1,
  is_latest: true,
  timestamp: 1700000889,
  next_snapshot_timestamp: null,
  type: 'docker',
  compliant: false,
  is_judged: false,
  artifact_compliance_count: { true: 0, false: 0, null: 1 },
  html_url: `${host}/acme/environments/production/snapshots/1`,
  artifacts: [
    {
      name: 'shop/web:1.4',
      fingerprint,
      compliant: null,
      reasons_for_incompliance: [],
      policy_decisions: [],
      allow_listing: null,
      creationTimestamp: [1700000889],
      ...NO_CONTEXTS,
      annotation: { type: 'started', was: 0, now: 1 },
      flow_name: null,
      git_commit: '',
      commit_url: null,
      html_url: null,
      flow_html_url: null,
      deployments: [],
      commit_lead_time: null,
      deployment_diff: null,
      flows: [],
    },
  ],
  applied_policies: [],
};

const WINDOW = '&start_ts=1697580800&end_ts=1700000900';

const deployment = {
  fingerprint,
  deployed_at: 1700000889,
  artifact_name: 'shop/web:1.4',
  env_name: 'production',
  snapshot_index: 1,
  _links: deploymentLinksExample,
};
const orgDeployment: OrgDeployment = { ...deployment, lead_time: 889 };
const repoDeployment: RepoDeployment = {
  ...deployment,
  compliance: null,
  commit,
  replaced_artifact: { fingerprint: 'beef'.repeat(16), artifact_name: 'shop/web:1.3', snapshot_index: 0, commit: null },
  diff_url: `https://github.com/acme/shop/compare/${'3e'.repeat(20)}...${sha}`,
};
const orgDeployments: OrgDeploymentPage = {
  ...pageExample,
  _links: pageLinksExample('/deployments/acme', WINDOW),
  deployments: [orgDeployment],
};
const repoDeployments: RepoDeploymentPage = {
  ...pageExample,
  _links: pageLinksExample(`/repos/acme/${repo.id}/deployments`, WINDOW),
  deployments: [repoDeployment],
};
const detailedDeployments: DetailedDeploymentPage = {
  ...pageExample,
  _links: pageLinksExample('/deployments/acme/detailed', WINDOW),
  deployments: [{ ...repoDeployment, kind: 'first', lead_time: 889 }],
};

const illegal = "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$' [input: my env]";
const error: ErrorBody = { message: `Input payload validation failed: name ${illegal}`, errors: { name: illegal } };

export const examples = {
  environment,
  flow,
  repo,
  repos,
  snapshots,
  snapshot,
  orgDeployments,
  repoDeployments,
  detailedDeployments,
  error,
} as const;
