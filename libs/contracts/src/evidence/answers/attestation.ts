import { droppedAnswer } from '../../audit/answers/retention';
import { attestedCommit, MADE_UP } from '../../http/answers/common';
import {
  anything,
  component,
  flag,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  type TypeOf,
  text,
  url,
} from '../../http/shape';

const attachment = object({
  filename: text('The file name that the client sent.'),
  sha256: text(),
  size: integer('Bytes.'),
});

/** The data that was read from an attached bill of materials. */
const sbomRead = component(
  'SbomRead',
  {
    format: text('Name and version, such as `cyclonedx-1.6` or `spdx-2.3`.'),
    created_at: nullable(text('As it is in the document.')),
    tools: nullable(list(text(), 'What made the document.')),
    subject: nullable(
      object({
        name: text(),
        version: nullable(text()),
        purl: nullable(text('Package URL.')),
        sha256: nullable(text()),
      }),
    ),
    package_count: integer('How many packages it lists.'),
  },
  {
    unread_count: integer(
      'How many packages could not be read, and are left out. Missing where they were not counted.',
    ),
    problems: list(text(), 'Why, for the first 10.'),
  },
);
export type SbomReadAnswer = TypeOf<typeof sbomRead>;

/** A report of a scanner that came with an attestation on an artifact. */
const scanReport = component('ScanReport', {
  file: nullable(text('The file, behind the archive that holds it; null for a report in the data of the attestation.')),
  format: nullable(text('`trivy`, `grype`, `snyk`, `sarif` or `snyk-results`; null if it cannot be told.')),
  tool: text('The scanner; empty if the report does not tell.'),
  findings: integer('How many findings were read.'),
  unread: integer('How many findings could not be read, 1 for a report of which nothing was.'),
  problem: nullable(text('Why nothing of it was read.')),
});
export type ScanReportAnswer = TypeOf<typeof scanReport>;

/** Lookups by id and by name show these fields; the list of the organization leaves them out. */
export const attestation = component(
  'Attestation',
  {
    attestation_id: text(),
    attestation_name: text(),
    attestation_type: text(
      '`generic`, `junit`, `jira`, `snyk`, `sonar`, `pull_request`, `custom:<type>`, `decision`, `sbom` or `override`.',
    ),
    is_compliant: flag('Judged by the rule of its type when it was reported.'),
    artifact_fingerprint: nullable(text('The matching artifact.')),
    target_artifact: nullable(text('The name in the template of its artifact.')),
    flow_name: text(),
    trail_name: text(),
    overridden_attestation_id: nullable(text('What an override replaces.')),
    created_at: number('Epoch seconds.'),
    created_by: text('Name of a user or a service account.'),
    git_commit_info: nullable(attestedCommit),
    origin_url: nullable(text()),
    attachments: list(attachment, 'Its attachments.'),
    target_artifacts: list(text(), 'The same name as `target_artifact`, as a list; empty for the trail.'),
    reported_by: text('As `created_by`.'),
    evidence_archive_path: nullable(text('The address of its attachments; null without attachments.')),
    evidence_archive_fingerprint: nullable(text('SHA-256 of its attachment; null without one or with several.')),
    has_audit_package: flag('Whether it has an audit package.'),
    schema_version: integer('The id of this answer.'),
    html_url: text(),
    _links: object({ self: url(), evidence: nullable(url('Its attachments.')) }),
  },
  {
    description: nullable(text()),
    user_data: anything('As it was sent.'),
    made_at: number(
      'When the evidence was made, in epoch seconds, as it says itself: the last suite of a JUnit report, or a bill of materials. Absent where it does not say so.',
    ),
    external_urls: map(object({ href: text() }, { fingerprint: text() })),
    annotations: map(text()),
    junit_results: anything(),
    jira_results: anything(),
    snyk_results: anything(),
    processed_snyk_results: anything('The same, under the name that rules use.'),
    sonar_results: anything(),
    git_provider: nullable(text()),
    pull_requests: anything(),
    type_name: text(),
    type_version: integer('The version of the custom type that checked the data.'),
    attestation_data: anything(),
    sbom: sbomRead,
    scan_reports: list(scanReport, 'The reports of scanners that came with it: the first 100.'),
    control: text('Identifier of the control of a decision.'),
    control_version: nullable(integer('Null if the control did not exist.')),
    reason: text(),
    new_compliance_status: flag(),
    original_attestation_type: text(),
    dropped: list(droppedAnswer, 'What retention dropped of it; absent if it is complete.'),
  },
);
export type AttestationAnswer = TypeOf<typeof attestation>;

export const attestationList = component('AttestationList', {
  data: list(attestation),
  _links: object({}, { first: url(), prev: url(), next: url('Absent on the last page.') }),
});
export type AttestationListAnswer = TypeOf<typeof attestationList>;

/** A page of the attestations of a flow. */
export const flowAttestations = component('FlowAttestations', {
  data: list(attestation),
  pagination: object({ total: integer(), page: integer(), per_page: integer(), page_count: integer() }),
});
export type FlowAttestationsAnswer = TypeOf<typeof flowAttestations>;

const id = '018bcfe5-6800-7000-8000-000000000008';

const listed: AttestationAnswer = {
  attestation_id: id,
  attestation_name: 'unit-test',
  attestation_type: 'junit',
  is_compliant: true,
  artifact_fingerprint: MADE_UP.fingerprint,
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
  html_url: `${MADE_UP.host}/acme/flows/shop-web/trails/build-7?attestation_id=${id}`,
  _links: {
    self: `${MADE_UP.host}/api/v2/attestations/acme?attestation_id=${id}`,
    evidence: `${MADE_UP.host}/api/v2/attestations/acme/shop-web/trail/build-7/attestation/${id}/evidence`,
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
