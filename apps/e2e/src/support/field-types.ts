import {
  comparedFigures,
  runningComponent,
  sbomComponent,
  unjudged,
  action,
  target,
  figures,
  pageOf,
  pageLinks,
  commit,
  environment,
  flow,
  decision,
  listing,
  artifactPage,
  snapshot,
  diffArtifact,
  counted,
  happened,
  artifactItem,
  artifact,
  matches,
  asserted,
  trail,
  trailItem,
  listedAttestation,
  attestation,
  typeVersion,
  type,
  componentPlace,
  lastImport,
  vulnerability,
  control,
  controlVersion,
  policy,
  repo,
  notification,
  config,
  space,
  retention,
  account,
  key,
  eventLinks,
  deployment,
} from './field-kinds';
import { type Kind, nil } from './json-kind';

/** The types of fields in the JSON answers of all GETs, by the id of the route. */
export const ANSWERS: Readonly<Record<string, Kind>> = {
  findComponents: {
    ...{ ...pageOf, ...unjudged },
    not_comparable: { total_count: 'n', components: [sbomComponent] },
    artifacts: [
      {
        ...{ component: sbomComponent, fingerprint: 's', artifact_name: 's', flow: 's?', git_commit: 's?' },
        ...{ repository: 's?', environment_count: 'n' },
        environments: [componentPlace],
      },
    ],
  },
  listArtifactComponents: { fingerprint: 's', ...pageOf, ...unjudged, components: [sbomComponent] },
  listEnvironmentComponents: {
    ...{ environment: 's', snapshot: 'n', ...pageOf, ...unjudged },
    components: [runningComponent],
  },
  compareComponents: {
    snappish1: { snapshot_id: 's', ...unjudged, ...pageOf, components: [runningComponent] },
    snappish2: { snapshot_id: 's', ...unjudged, ...pageOf, components: [runningComponent] },
    unchanged_count: 'n',
  },
  listVulnerabilities: { ...pageOf, ...unjudged, last_import: nil(lastImport), vulnerabilities: [vulnerability] },
  getVulnerability: {
    ...{ ...vulnerability, ...pageOf, ...unjudged, withdrawn: 'n?' },
    entries: [{ id: 's', severity: 's?', published: 'n?', modified: 'n', withdrawn: 'n?' }],
    artifacts: [
      {
        ...{ component: sbomComponent, certain: 'b', entries: ['s'], fixed_in: ['s'] },
        vex: nil({ status: 's', justification: 's?', by: 's?', at: 'n?' }),
        ...{ fingerprint: 's', artifact_name: 's', flow: 's?', git_commit: 's?', repository: 's?' },
        ...{ environment_count: 'n', environments: [componentPlace] },
      },
    ],
  },
  listArtifacts: [artifactItem],
  listFlowArtifacts: [artifactItem],
  getArtifact: artifact,
  getArtifactsOfCommit: [artifact],
  getLatestCommit: { latest_commit: 's?' },
  search: {
    resolved_to: { type: 's', full_match: 's', fingerprints: matches, commits: matches },
    artifacts: [
      {
        ...{ fingerprint: 's', name: 's', flow: 's', git_commit: 's', has_provenance: 'b', commit_url: 's' },
        ...{ pipeline: 's', trail: 's', template_reference_name: 's', api_url: 's' },
        ...{ build_url: 's', html_url: 's', compliance_state: 's', running_in: ['s'], exited_from: ['s'] },
        history: [happened],
      },
    ],
  },
  findAnything: {
    results: [
      {
        ...{ kind: 's', name: 's', found_in: 's', text: 's' },
        ...{ id: 's?', flow: 's?', environment: 's?', fingerprint: 's?' },
      },
    ],
    complete: 'b',
  },
  listAttestationTypes: [{ ...type, versions: [typeVersion] }],
  getAttestationType: {
    ...type,
    versions: [
      {
        ...{ ...typeVersion, type_schema: nil('o'), evaluator: nil({ content_type: 's', rules: ['s'] }) },
        summary: nil([{ name: 's', expression: 's' }]),
      },
    ],
  },
  listAttestations: { data: [attestation], _links: 'o' },
  listFlowAttestations: { data: [attestation], pagination: { total: 'n', page: 'n', per_page: 'n', page_count: 'n' } },
  listCommitAttestations: { '*': [attestation] },
  listSystemAttestationTypes: [{ name: 's', versions: [{ version: 'n', type_schema: 'o' }] }],
  listTrailAttestations: [attestation],
  listArtifactAttestations: [attestation],
  listEnvironments: [environment],
  getEnvironment: environment,
  listFlows: [{ ...flow, latest_activity_at: 'n', latest_state: 's?' }],
  getFlow: { ...flow, last_deployment_at: 'n?' },
  listAllowed: {
    ...pageOf,
    artifacts: [
      {
        artifact_fingerprint: 's',
        artifact_name: 's',
        description: 's',
        created_by: 's',
        created_at: 'n',
        expires_at: 'n?',
      },
    ],
  },
  listAllAllowed: [
    {
      ...{ artifact_name: 's', fingerprint: 's', environment_name: 's' },
      ...{ timestamp: 'n', user_name: 's', description: 's', expires_at: 'n?' },
    },
  ],
  listControls: { ...pageOf, controls: [control] },
  getControl: control,
  listControlTags: [{ key: 's', value: 's' }],
  listControlVersions: { ...pageOf, versions: [controlVersion] },
  getControlVersion: controlVersion,
  listControlDecisions: { ...pageOf, decisions: [listedAttestation] },
  getControlDecision: attestation,
  getControlCoverage: {
    ...{ ...pageOf, total: 'n', covered: 'n', coverage_percent: 'n' },
    environments: [{ name: 's', type: 's', covered: 'b', policies: ['s'] }],
  },
  listEnvironmentEvents: [
    {
      ...{ environment_name: 's', snapshot_index: 'n', artifact_name: 's', sha256: 's', description: 's' },
      ...{ reported_at: 'n', pipeline: 's', type: 's', artifact_compliance: 'b?', snapshot_compliance: 'b?' },
      ...{ flows: [{ flow_name: 's', deployments: nil(['*']) }], deployments: ['*'], code_diff: 's?' },
      _links: eventLinks,
    },
  ],
  diffEnvironments: {
    snappish1: { ...counted, snapshot_id: 's' },
    snappish2: { ...counted, snapshot_id: 's' },
    changed: { ...artifactPage, artifacts: [{ ...diffArtifact, s1_instance_count: 'n', s2_instance_count: 'n' }] },
    'not-changed': counted,
  },
  listInvitations: [{ id: 's', email: 's', role: 's', user: 's?', invited_by: 's', created_at: 'n', expires_at: 'n' }],
  listMembers: [{ user: 's', email: 's', role: 's' }],
  listAuditLog: {
    ...{ ...pageOf, _links: pageLinks },
    entries: [
      {
        ...{ id: 's', type: 's', actor: { id: 's', name: 's' }, subject: { kind: 's', id: 's', name: 's' } },
        ...{ before: '*', after: '*', created_at: 'n' },
      },
    ],
  },
  listEvents: {
    events: [
      {
        ...{ specversion: 's', id: 's', source: 's', type: 's', subject: 's', time: 's', datacontenttype: 's' },
        ...{ partitionkey: 's', data: '*' },
      },
    ],
    ...{ cursor: 's', more: 'b', reset: 'b' },
  },
  listMembershipEvents: {
    ...{ ...pageOf, _links: pageLinks },
    events: [
      {
        ...{ id: 's', type: 's', user: 's', changed_by: 's', role: 's', previous_role: 's', source: 's' },
        created_at: 'n',
      },
    ],
  },
  getVersion: { version: 's', api_version: 's' },
  signingKeys: { keys: [{ id: 's', algorithm: 's', public_key: 's', current: 'b' }] },
  listNotifications: [notification],
  getNotification: notification,
  listActions: [action],
  getAction: action,
  listDeliveries: {
    next: 's?',
    deliveries: [
      {
        ...{ id: 's', target: 's', config_target: 's?', channel: 's', environment: 's?', flow: 's?' },
        ...{ trail: 's?', snapshot_index: 'n?' },
        ...{ event_types: ['s'], events: 'n', state: 's', created_at: 'n', next_attempt_at: 'n?', reason: 's?' },
        ...{ attempts: [{ at: 'n', outcome: 's', detail: 's', duration_ms: 'n' }], attempts_count: 'n' },
      },
    ],
  },
  listTargetConfigs: [config],
  getTargetConfig: config,
  getNotificationConfig: {
    ...{ notification_type: 's', scope: 's?', targets: [target], detection: { days_before: ['n'] } },
    ...{ last_notified_at: 'n?', last_failure: nil({ failed_at: 'n', error: 's' }) },
  },
  listPolicies: [policy],
  getPolicy: policy,
  assertArtifact: {
    ...{ 'environment_last_reported_at?': 'n?', 'environment_late_since?': 'n?' },
    ...{
      compliant: 'b',
      is_judged: 'b',
      scope: 's',
      'environment?': 's',
      policy_evaluations: [decision],
      html_url: 's',
    },
    allow_listing: nil(listing),
    ...{ fingerprint: 's', flow: 's', trail: 's', compliance_status: nil(asserted) },
    flows: [{ flow: 's', trail: 's?', compliant: 'b', compliance_status: nil(asserted), html_url: 's' }],
  },
  listRepos: { ...pageOf, _links: pageLinks, repos: [repo] },
  getRepo: repo,
  listRepoTags: [{ key: 's', value: 's' }],
  getRepoFilterOptions: { providers: ['s'], vcs_instances: ['s'], namespace_values: ['s'] },
  getRepoLiveArtifacts: {
    live_artifacts: [
      {
        ...{ environment_id: 's', artifact_id: 's', artifact_name: 's', snapshot_index: 'n', compliance: 's?' },
        ...{ started_at: 'n', _links: { snapshot: 's' } },
      },
    ],
    _embedded: {
      environments: [{ id: 's', name: 's', type: 's', _links: { self: 's', html: 's' } }],
      artifacts: [{ id: 's', fingerprint: 's', commit_sha: 's?', commit_url: 's?', _links: { self: 's', html: 's' } }],
    },
    _links: { self: 's', repo: 's' },
  },
  listBuilds: {
    ...{ ...pageOf, _links: pageLinks },
    builds: [
      {
        ...{ created_at: 'n', fingerprint: 's', flow_name: 's', trail_name: 's' },
        ...{ repo_info: nil({ name: 's', repo_id: 's' }), _links: { artifact: { self: 's', html: 's' } } },
      },
    ],
  },
  getBuildStatistics: { start_ts: 'n', end_ts: 'n', total_count: 'n', created_at: ['n'] },
  listRepoDeployments: {
    ...{ ...pageOf, _links: pageLinks },
    deployments: [
      {
        ...{ ...deployment, compliance: 'b?', commit: nil(commit), diff_url: 's?' },
        replaced_artifact: nil({ fingerprint: 's', artifact_name: 's?', snapshot_index: 'n?', commit: nil(commit) }),
      },
    ],
  },
  getDeploymentMetrics: {
    ...{ time_zone: 's', bucket: 's', relative_error: 'n', totals: figures },
    buckets: [{ date: 's', start: 'n', end: 'n', ...figures }],
  },
  getDeliveryFigures: {
    ...{ ...pageOf, start: 'n', end: 'n', relative_error: 'n' },
    figures: [{ name: 's', id: 's?', ...comparedFigures, before: comparedFigures }],
  },
  listDetailedDeployments: {
    ...{ ...pageOf, _links: pageLinks },
    deployments: [
      {
        ...{ ...deployment, kind: 's', compliance: 'b?', commit: nil(commit), diff_url: 's?', 'lead_time?': 'n' },
        replaced_artifact: nil({ fingerprint: 's', artifact_name: 's?', snapshot_index: 'n?', commit: nil(commit) }),
      },
    ],
  },
  getDeployment: {
    ...{ ...deployment, kind: 's', compliance: 'b?', commit: nil(commit), diff_url: 's?', 'lead_time?': 'n' },
    replaced_artifact: nil({ fingerprint: 's', artifact_name: 's?', snapshot_index: 'n?', commit: nil(commit) }),
  },
  listEnvironmentDeployments: {
    ...{ ...pageOf, _links: pageLinks },
    deployments: [
      {
        ...{ ...deployment, kind: 's', compliance: 'b?', commit: nil(commit), diff_url: 's?', 'lead_time?': 'n' },
        replaced_artifact: nil({ fingerprint: 's', artifact_name: 's?', snapshot_index: 'n?', commit: nil(commit) }),
      },
    ],
  },
  getDeploymentFrequency: {
    ...{ env_name: 's', flow_id: 's?', start_ts: 'n', end_ts: 'n', deployments: 'n', deployments_per_day: 'n' },
  },
  getRepoDeploymentStatistics: {
    ...{ start_ts: 'n', end_ts: 'n', total_count: 'n' },
    environments: [{ env_name: 's', deployed_at: ['n'], lead_time_seconds: ['n'] }],
  },
  listDeployments: { ...pageOf, _links: pageLinks, deployments: [{ ...deployment, 'lead_time?': 'n' }] },
  listServiceAccounts: [account],
  getServiceAccount: account,
  getOrganization: { name: 's', kind: 's', experimental_features_enabled: 'b', created_at: 'n', last_modified_at: 'n' },
  listServiceAccountKeys: [key],
  getServiceAccountKey: key,
  listUserKeys: [key],
  listIdentities: [{ id: 's', issuer: 's', subject: 's', email: 's' }],
  getRetention: retention,
  listSpaces: { ...pageOf, spaces: [space] },
  getSpace: space,
  listSnapshots: [{ index: 'n', from: 'n', to: 'n', duration: 'n', compliant: 'b', is_judged: 'b' }],
  getSnapshot: snapshot,
  listTrails: { data: [trailItem], pagination: { page: 'n', per_page: 'n', page_count: 'n', total: 'n' } },
  listFlowTrails: [trailItem],
  getTrail: trail,
  getDefaultOrganization: { default_org_name: 's?' },
  getSession: {
    principal: { id: 's', name: 's', kind: 's' },
    organizations: [{ name: 's', role: 's', personal: 'b' }],
    default_organization: 's?',
    session: nil({ started_at: 'n', idle_expires_at: 'n', expires_at: 'n' }),
  },
};

/** Fields of an attestation that lists without the payload omit. */
export const LISTED: Kind = { _links: { 'first?': 's', 'prev?': 's', 'next?': 's' }, data: [listedAttestation] };
