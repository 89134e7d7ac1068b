import { type Fields, type Kind, nil } from './json-kind';

const spread = nil({ count: 'n', mean: 'n', p10: 'n', p25: 'n', p50: 'n', p75: 'n', p90: 'n' });
export const comparedFigures: Fields = {
  deployments: 'n',
  rollbacks: 'n',
  change_failure_rate: 'n?',
  lead_time: spread,
};
export const figures: Fields = {
  deployments: 'n',
  rollbacks: 'n',
  lead_time: spread,
  recoveries: 'n?',
  recovery_time: spread,
};
export const sbomComponent: Fields = { purl: 's?', name: 's', version: 's?', licences: ['s'], sha256: 's?' };
export const runningComponent: Fields = { ...sbomComponent, artifact_count: 'n', fingerprints: ['s'] };
export const unjudged: Fields = { without_sbom: 'n', incomplete_sbom: 'n' };
const tags: Fields = { '*': 's' };
export const componentPlace: Fields = {
  ...{ environment: 's', first_snapshot: 'n', first_seen: 'n', running: 'b', last_snapshot: 'n?', last_seen: 'n?' },
};
export const lastImport: Fields = {
  ...{ filename: 's', sha256: 's', imported_at: 'n', imported_by: 's' },
  ...{ vulnerabilities: 'n', statements: 'n', unread: 'n' },
};
export const vulnerability: Fields = {
  ...{ id: 's', aliases: ['s'], severity: 's?', summary: 's', published: 'n?', modified: 'n', exposed: 'b' },
  ...{ artifact_count: 'n', environment_count: 'n' },
  environments: [
    {
      ...{ environment: 's', exposed: 'b', first_snapshot: 'n', exposed_since: 'n' },
      ...{ gone_snapshot: 'n?', gone_at: 'n?' },
    },
  ],
  vex: { not_affected: 'n', affected: 'n', fixed: 'n', under_investigation: 'n', none: 'n' },
};

export const pageOf: Fields = { page: 'n', per_page: 'n', total_pages: 'n', total_count: 'n' };
export const pageLinks: Fields = { self: 's', first: 's', last: 's', 'prev?': 's', 'next?': 's' };
const urls: Fields = { '*': { href: 's', 'fingerprint?': 's' } };

/** Specification 2.2. */
export const commit: Fields = {
  ...{ sha1: 's', message: 's?', author: 's?', branch: 's?', timestamp: 'n?', url: 's?' },
  ...{ 'author_username?': 's', 'parents?': ['s'], 'verified?': 'b', 'signature_state?': 's' },
};
const told: Fields = { ...commit, message: 's', author: 's', branch: 's', timestamp: 'n' };
const repoMore: Fields = { tags, vcs_instance: 's?', namespace_path: ['s'], additional_info: 'o' };

export const environment: Kind = {
  ...{ org: 's', name: 's', type: 's', description: 's', last_modified_at: 'n', last_reported_at: 'n?' },
  ...{
    space_id: 's',
    last_changed_at: 'n?',
    report_every: 'n?',
    late_since: 'n?',
    state: 'b?',
    include_scaling: 'b',
    require_provenance: 'b',
    tags,
    policies: ['s'],
  },
  included_environments: nil(['s']),
};
export const flow: Fields = {
  id: 's',
  space_id: 's',
  name: 's',
  description: 's',
  visibility: 's',
  org: 's',
  template: '*',
  repo_url: 's?',
  tags,
};

/** The entry of an allow-list by which an artifact counts as compliant. */
export const listing: Kind = {
  ...{ allowlist_id: 's', allowed_by_user_id: 's', user_name: 's', timestamp: 'n', description: 's' },
  expires_at: 'n?',
};
export const decision: Kind = {
  ...{ policy_name: 's', policy_version: 'n', status: 's' },
  rule_evaluations: [
    {
      rule: { type: 's', definition: 'o' },
      ...{ satisfied: 'b?', ignored: 'b' },
      resolutions: [
        { type: 's', context: { flow_name: 's', trail_name: 's?', artifact_status: 's?', 'for_control?': 's' } },
      ],
    },
  ],
};
const diff: Kind = {
  ...{ diff_url: 's?', previous_git_commit: 's', previous_git_commit_url: 's?', previous_fingerprint: 's' },
  ...{ previous_artifact_name: 's', previous_artifact_compliance_state: 's?', previous_running: 'b' },
  ...{ previous_trail_name: 's?', previous_template_reference_name: 's?' },
};
const snapshotArtifact: Kind = {
  ...{ name: 's', fingerprint: 's', compliant: 'b?', reasons_for_incompliance: ['s'], policy_decisions: [decision] },
  allow_listing: nil(listing),
  creationTimestamp: ['n'],
  pods: nil({ '*': { namespace: 's', creationTimestamp: 'n', owners: nil(['o']) } }),
  ecs_context: nil({ task_arn: 's', cluster_name: 's?', service_name: 's?' }),
  azure_context: nil({ app_name: 's', app_kind: 's', digests_source: 's' }),
  cloud_run_context: nil({ kind: 's', service_name: 's?', revision_name: 's?', job_name: 's?' }),
  annotation: { type: 's', was: 'n', now: 'n' },
  ...{ flow_name: 's?', git_commit: 's', commit_url: 's?', html_url: 's?', flow_html_url: 's?', deployments: ['*'] },
  ...{ commit_lead_time: 'n?', deployment_diff: nil(diff), 'running_in?': ['s'] },
  flows: [
    {
      ...{ flow_name: 's', trail_name: 's?', template_reference_name: 's?', git_commit: 's', commit_url: 's?' },
      ...{ git_commit_info: nil(told), html_url: 's', flow_html_url: 's', deployment_diff: nil(diff) },
      ...{ commit_lead_time: 'n?', artifact_compliance_in_flow: 'b?', flow_reasons_for_non_compliance: ['s'] },
    },
  ],
};
const dumpedRule: Kind = { required: 'b', exceptions: [{ if_condition: nil({ text: 's' }) }] };
export const artifactPage: Fields = { 'artifact_page?': pageOf };
export const snapshot: Kind = {
  ...{ index: 'n', is_latest: 'b', timestamp: 'n', next_snapshot_timestamp: 'n?', type: 's', compliant: 'b' },
  is_judged: 'b',
  artifact_compliance_count: { true: 'n', false: 'n', null: 'n' },
  ...{ html_url: 's', artifacts: [snapshotArtifact], ...artifactPage },
  applied_policies: [
    {
      ...{ id: 's', name: 's', version: 'n', failing_artifacts: ['s'], 'failing_count?': 'n', 'allowed_count?': 'n' },
      policy_dump: {
        schema_version: 's',
        artifacts: {
          ...{ provenance: dumpedRule, trail_compliance: dumpedRule },
          attestations: [
            {
              ...{ if_condition: nil({ text: 's' }), name: 's', type: 's', must_be_compliant: 'b' },
              'for_control?': 's',
            },
          ],
        },
      },
    },
  ],
};
export const diffArtifact: Fields = {
  ...{ fingerprint: 's', flow: 's', name: 's', git_commit: 's', commit_url: 's' },
  ...{ most_recent_timestamp: 'n', 'pods?': ['s'] },
};
export const counted: Fields = { ...artifactPage, artifacts: [{ ...diffArtifact, instance_count: 'n' }] };

const place: Kind = { environment_name: 's', snapshot_index: 'n' };
export const happened: Kind = { event: 's', timestamp: 'n' };
export const artifactItem: Fields = {
  ...{ id: 's', filename: 's', flow_name: 's', trail_name: 's?', template_reference_name: 's?', fingerprint: 's' },
  ...{ created_at: 'n', last_modified_at: 's', git_commit: 's', git_commit_info: nil(commit), commit_url: 's' },
  repo_info: nil({ name: 's', id: 's?', url: 's', description: 's?', provider: 's?' }),
  ...{ repo_url: 's?', build_url: 's', html_url: 's', api_url: 's', state: 's' },
  evidence: { '*': { evidence_type: 's', is_compliant: 'b', created_at: 's', has_audit_package: 'b' } },
};
export const artifact: Kind = {
  ...artifactItem,
  ...{ description: 's?', template: nil(['s']), is_compliant: 'b?', user_data: '*', annotations: tags },
  ...{ external_urls: urls, state_info: 's', commit_lead_times: { '*': 'n' }, build_lead_times: { '*': 'n' } },
  ...{ running: [place], exited: [place], history: [happened] },
};
export const matches: Kind = { type: 's', count: 'n', matches: ['s'] };

const attestationStatus: Kind = {
  ...{ attestation_name: 's', attestation_type: 's', attestation_id: 's?', overridden_attestation_id: 's?' },
  ...{ status: 's', is_compliant: 'b?', unexpected: 'b' },
};
const compliance: Fields = {
  ...{ status: 's', is_compliant: 'b', attestations_statuses: [attestationStatus], evaluated_at: 'n' },
  flow_template_id: 's',
  artifacts_statuses: {
    '*': {
      ...{ artifact_fingerprint: 's?', artifact_id: 's?', status: 's', is_compliant: 'b' },
      ...{ attestations_statuses: [attestationStatus], unexpected: 'b', evaluated_at: 'n', flow_template_id: 's' },
    },
  },
};
export const asserted: Kind = { ...compliance, unexpected: 'b' };
const declared: Kind = [{ name: 's', type: 's' }];
const trailEvent: Kind = {
  ...{ type: 's', timestamp: 'n', org_id: 's', flow_id: 's', trail_id: 's' },
  git_commit_info: nil({
    ...{ sha1: 's', message: 's', author: 's', branch: 's', timestamp: 'n', url: 's?' },
    ...{ author_username: 's?', parents: nil(['s']), verified: 'b?', signature_state: 's?' },
  }),
  repo_info: nil({
    ...{ inner_id: 's', org_id: 's', repo_id: 's?', name: 's', url: 's', provider: 's?', description: 's?' },
    ...{ ...repoMore, created_at: 'n', last_modified_at: 'n' },
  }),
  ...{ 'setting_user_id?': 's', 'trail_data_json?': 'o', 'changes?': ['s'], 'artifact_name?': 's' },
  ...{ 'artifact_fingerprint?': 's', 'artifact_id?': 's', 'template_reference_name?': 's', 'git_commit?': 's' },
  ...{ 'attestation_id?': 's', 'attestation_type?': 's', 'is_compliant?': 'b', 'target_artifact?': 's' },
  ...{ 'environment_id?': 's', 'environment_name?': 's', 'snapshot_index?': 'n', 'replica_number?': 'n' },
};
export const trail: Kind = {
  ...{ name: 's', description: 's', flow: { name: 's', tags }, git_commit_info: nil(told), origin_url: 's?' },
  ...{ user_data: 'o', repo_ids: ['s'], external_urls: nil(urls), created_at: 'n', last_modified_at: 'n' },
  ...{ created_by: 's', html_url: 's', compliance_state: 's', is_compliant: 'b', compliance_status: compliance },
  template: {
    ...{ version: 'n', content: 's' },
    trail: { attestations: declared, artifacts: [{ name: 's', attestations: declared }] },
  },
  events: [trailEvent],
};
export const trailItem: Kind = {
  ...{ name: 's', description: 's', flow_name: 's', compliance_state: 's', is_compliant: 'b' },
  ...{ created_at: 'n', last_modified_at: 'n', html_url: 's', flow: { name: 's', tags }, created_by: 's' },
  ...{ repo_ids: ['s'], compliance_status: compliance },
  template: {
    ...{ version: 'n', content: 's' },
    trail: { attestations: declared, artifacts: [{ name: 's', attestations: declared }] },
  },
};

export const listedAttestation: Fields = {
  ...{ attestation_id: 's', attestation_name: 's', attestation_type: 's', is_compliant: 'b' },
  ...{ artifact_fingerprint: 's?', target_artifact: 's?', flow_name: 's', trail_name: 's' },
  ...{ overridden_attestation_id: 's?', created_at: 'n', created_by: 's', git_commit_info: nil(told) },
  ...{ origin_url: 's?', attachments: [{ filename: 's', sha256: 's', size: 'n' }], target_artifacts: ['s'] },
  ...{ reported_by: 's', evidence_archive_path: 's?', evidence_archive_fingerprint: 's?' },
  ...{ has_audit_package: 'b', schema_version: 'n', html_url: 's', _links: { self: 's', evidence: 's?' } },
  ...{ 'control?': 's', 'control_version?': 'n?' },
};
export const attestation: Kind = {
  ...listedAttestation,
  ...{ description: 's?', user_data: '*', external_urls: urls, annotations: tags, 'junit_results?': ['o'] },
  ...{ 'jira_results?': ['o'], 'snyk_results?': 'o', 'processed_snyk_results?': 'o', 'sonar_results?': 'o' },
  ...{ 'git_provider?': 's?', 'pull_requests?': ['o'], 'type_name?': 's', 'type_version?': 'n' },
  ...{ 'attestation_data?': '*', 'reason?': 's', 'sbom?': 'o' },
  ...{ 'new_compliance_status?': 'b', 'original_attestation_type?': 's' },
};

export const typeVersion: Fields = { version: 'n', timestamp: 'n', created_by: 's' };
export const type: Fields = {
  ...{ name: 's', org: 's', archived: 'b', 'description?': 's', created_by: 's', created_at: 'n' },
  last_modified_at: 'n',
};
export const control: Kind = {
  ...{ identifier: 's', name: 's', description: 's', version: 'n', archived: 'b', created_by: 's', created_at: 'n' },
  ...{ tags, links: tags, policies_referencing: ['s'] },
};
export const controlVersion: Kind = {
  ...{ identifier: 's', version: 'n', name: 's', description: 's', links: tags },
  ...{ created_at: 'n', created_by: 's', status: 's' },
};
export const policy: Kind = {
  ...{ id: 's', name: 's', description: 's', type: 's', archived: 'b', consuming_envs: ['s'], created_at: 'n' },
  ...{ created_by: 's', last_modified_at: 'n' },
  events: [{ type: 's', timestamp: 'n', user: 's', data: { 'version?': 'n', 'environment?': 's' } }],
  versions: [{ version: 'n', comment: 's', created_by: 's', timestamp: 'n', policy_yaml: 's' }],
};
export const repo: Kind = {
  ...{ id: 's', name: 's', url: 's', provider: 's?', description: 's?', repo_id: 's?', ...repoMore },
  ...{ created_at: 'n', last_modified_at: 'n', latest_activity: 's?' },
  _links: { self: 's', deployments: 's' },
};
export const target: Kind = {
  ...{ id: 's', type: 's', 'webhook?': 's', 'webhook_hint?': 's?', 'payload_version?': 's?', 'emails?': ['s'] },
  ...{ 'signing_secret?': 's?', 'context?': nil('o'), 'config?': 's' },
  ...{ 'last_success_at?': 'n', 'last_failure_at?': 'n' },
};
export const notification: Kind = {
  ...{ name: 's', type: 's', number: 'n', environments: ['s'], triggers: ['s'], targets: [target], created_by: 's' },
  ...{ is_created_from_slack_app: 'b', is_failing: 'b', created_at: 'n', last_modified_at: 'n' },
  ...{ 'last_success_timestamp?': 'n', 'last_failure_timestamp?': 'n' },
};
export const action: Kind = { ...(notification as object), environments: nil(['s']), flows: nil(['s']) } as Kind;
export const config: Kind = { name: 's', targets: [target], created_by: 's', created_at: 'n', last_modified_at: 'n' };
export const space: Kind = {
  ...{ id: 's', name: 's', parent_id: 's', path: ['s'], archived: 'b', created_by: 's', created_at: 'n' },
  last_modified_at: 'n',
};
export const retention: Kind = {
  ...{ attachments_days: 'n?', payloads_days: 'n?', snapshots_days: 'n?' },
  holds: [{ flow: 's', trail: 's?', reason: 's', placed_by: 's', placed_at: 'n' }],
  dropped: ['o'],
};
export const account: Kind = {
  ...{ name: 's', display_name: 's', privilege: 's', description: 's', creating_user_id: 's', created_at: 'n' },
  for_webhook: 'b',
};
export const key: Kind = { id: 's', description: 's', created_at: 'n', expires_at: 'n', last_used_at: 'n' };

export const eventLinks: Fields = { snapshot: { self: 's', html: 's' }, 'artifact?': { self: 's', html: 's' } };
export const deployment: Fields = {
  ...{ fingerprint: 's', deployed_at: 'n', artifact_name: 's?', env_name: 's?', snapshot_index: 'n?' },
  _links: eventLinks,
};
