/** Example attestations for the OpenAPI document. A spec checks them by their shapes and schemas. */
const common = { attestation_name: 'unit-test', target_artifacts: ['web'], artifact_fingerprint: 'c0ffee00'.repeat(8) };
const commit = { sha1: '4f'.repeat(20), message: 'Sell tea', author: 'Ada <ada@example.com>', branch: 'main' };

export const attestationSamples = {
  generic: { ...common, attestation_name: 'review', is_compliant: true, user_data: {} },
  junit: {
    ...common,
    junit_results: [{ name: 'suite', failures: 0, errors: 0, skipped: 1, total: 12, duration: 1.5 }],
  },
  jira: {
    attestation_name: 'issue',
    jira_results: [{ issue_id: 'TEA-7', issue_url: 'https://jira.example.com/browse/TEA-7', issue_exists: true }],
  },
  snyk: {
    ...common,
    attestation_name: 'scan',
    snyk_results: {
      schema_version: 1,
      tool: { name: 'Snyk Container', version: '1.1290.0' },
      results: [{ high_count: 0, medium_count: 0, low_count: 1, low: [{ id: 'SNYK-1', message: 'Old library' }] }],
    },
  },
  sonar: {
    ...common,
    attestation_name: 'quality',
    sonar_results: {
      serverUrl: 'https://sonar.example.com',
      taskId: 'AY1',
      status: 'SUCCESS',
      project: { key: 'shop', url: 'https://sonar.example.com/dashboard?id=shop' },
      qualityGate: { status: 'OK', conditions: [] },
    },
  },
  pullRequest: {
    attestation_name: 'pull-request',
    git_commit_info: commit,
    git_provider: 'github',
    pull_requests: [
      { merge_commit: commit.sha1, url: 'https://github.com/acme/shop/pull/7', state: 'MERGED', approvers: ['grace'] },
    ],
  },
  custom: { ...common, attestation_name: 'coverage', type_name: 'coverage', attestation_data: { line_coverage: 91 } },
  system: {
    attestation_name: 'release-approval',
    type_name: 'decision',
    control: 'SDLC-7',
    attestation_data: { is_compliant: true },
  },
  override: {
    ...common,
    attestation_name: 'scan',
    reason: 'A known false alarm, see ticket 4711',
    new_compliance_status: true,
    original_attestation_type: 'snyk',
  },
} as const;
