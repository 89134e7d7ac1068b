import { anything, flag, integer, list, map, named, nullable, number, object, text, type Of } from '../shape';
import { commitInfo } from './common';

const attachment = object({
  filename: text('As the client called it.'),
  sha256: text(),
  size: integer('Bytes.'),
});

/** WIRE 10.2. What is left out of lists is in the look-up by id. */
export const attestation = named(
  'Attestation',
  object(
    {
      attestation_id: text(),
      attestation_name: text(),
      attestation_type: text(
        '`generic`, `junit`, `jira`, `snyk`, `sonar`, `pull_request`, `custom:<type>`, `decision` or `override`.',
      ),
      is_compliant: flag('By the rule of its type when it was reported.'),
      artifact_fingerprint: nullable(text('The artifact that it names.')),
      target_artifact: nullable(text('The name in the template of the artifact that it is about.')),
      flow_name: text(),
      trail_name: text(),
      overridden_attestation_id: nullable(text('What an override overrides.')),
      created_at: number('Epoch seconds.'),
      created_by: text('Name of a user or a service account.'),
      git_commit_info: nullable(commitInfo),
      origin_url: nullable(text()),
      attachments: list(attachment, 'Files that came with it.'),
      html_url: text(),
    },
    {
      description: nullable(text()),
      user_data: anything('As it was sent.'),
      external_urls: map(object({ href: text() }, { fingerprint: text() })),
      annotations: map(text()),
      junit_results: anything(),
      jira_results: anything(),
      snyk_results: anything(),
      sonar_results: anything(),
      git_provider: nullable(text()),
      pull_requests: anything(),
      type_name: text(),
      type_version: integer('Of the custom type that the data was held to.'),
      attestation_data: anything(),
      control: text('Identifier of the control that a decision is on.'),
      control_version: nullable(integer('Null where no such control was there.')),
      reason: text(),
      new_compliance_status: flag(),
      original_attestation_type: text(),
    },
  ),
);
export type AttestationAnswer = Of<typeof attestation>;

/** WIRE 10.2. */
export const attestationList = named('AttestationList', object({ data: list(attestation) }));
export type AttestationListAnswer = Of<typeof attestationList>;
