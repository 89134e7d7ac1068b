import type { AttestationAnswer } from './attestation';

const id = '018bcfe5-6800-7000-8000-000000000008';

/** Made-up attestations for the OpenAPI document; the compiler and a spec hold them to their shapes. */
const listed: AttestationAnswer = {
  attestation_id: id,
  attestation_name: 'unit-test',
  attestation_type: 'junit',
  is_compliant: true,
  artifact_fingerprint: 'c0ffee00'.repeat(8),
  target_artifact: 'web',
  flow_name: 'shop-web',
  trail_name: 'build-7',
  overridden_attestation_id: null,
  created_at: 1700000200,
  created_by: 'ci',
  git_commit_info: null,
  origin_url: 'https://ci.example.com/runs/7',
  attachments: [{ filename: 'junit.tgz', sha256: '0a'.repeat(32), size: 4711 }],
  target_artifacts: ['web'],
  reported_by: 'ci',
  evidence_archive_path: `/api/v2/attestations/acme/shop-web/trail/build-7/attestation/${id}/evidence`,
  evidence_archive_fingerprint: '0a'.repeat(32),
  has_audit_package: true,
  schema_version: 1,
  html_url: `https://assurance.example.com/acme/flows/shop-web/trails/build-7?attestation_id=${id}`,
  _links: {
    self: `https://assurance.example.com/api/v2/attestations/acme?attestation_id=${id}`,
    evidence: `https://assurance.example.com/api/v2/attestations/acme/shop-web/trail/build-7/attestation/${id}/evidence`,
  },
};

const whole: AttestationAnswer = {
  ...listed,
  description: null,
  user_data: {},
  external_urls: {},
  annotations: {},
  junit_results: [{ name: 'suite', failures: 0, errors: 0, skipped: 1, total: 12, duration: 1.5 }],
};

export const attestationExamples = { listed, whole } as const;
