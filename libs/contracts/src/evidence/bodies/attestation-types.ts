import { body, closed, optional } from '../../http/bodies/body';
import { NAME_MAX } from '../../http/bodies/limits';
import { anyJson, fingerprint, freeObject } from '../../http/bodies/words';
import { PATTERNS } from '../../http/patterns';
import { withDescription, flag, list, oneOf, text } from '../../http/shape';
import { attestationFields } from './attestation';
import {
  JiraResultInput,
  JunitResultInput,
  PullRequestInput,
  SnykResultsInput,
  SonarResultsInput,
} from './attestation-payloads';

export const GenericAttestationInput = closed('GenericAttestationInput', {
  is_compliant: flag('Whether it is compliant.', { example: true }),
  ...attestationFields,
});

export const JunitAttestationInput = closed('JunitAttestationInput', {
  junit_results: list(JunitResultInput, 'One for each suite; compliant if none has failures or errors.'),
  ...attestationFields,
});

export const JiraAttestationInput = closed('JiraAttestationInput', {
  jira_results: optional(
    list(JiraResultInput, 'The referenced issues; compliant if there is at least one and all exist.'),
  ),
  ...attestationFields,
});

export const SnykAttestationInput = closed('SnykAttestationInput', {
  snyk_results: withDescription(SnykResultsInput, 'Compliant if all counts are zero.'),
  ...attestationFields,
});

export const SonarAttestationInput = closed('SonarAttestationInput', {
  sonar_results: withDescription(SonarResultsInput, 'Compliant if the quality gate is `OK`.'),
  ...attestationFields,
});

export const PullRequestAttestationInput = closed('PullRequestAttestationInput', {
  git_provider: optional(text('Such as github, gitlab, bitbucket, azure.', { max: 100, example: 'github' })),
  pull_requests: optional(list(PullRequestInput, 'Compliant if there is one.')),
  ...attestationFields,
});

export const CustomAttestationInput = closed('CustomAttestationInput', {
  type_name: text('Name of the custom attestation type whose schema and rules check the data.', {
    min: 1,
    max: NAME_MAX,
    example: 'coverage',
  }),
  attestation_data: anyJson(
    'Any JSON that is valid for the schema of the type. A text that holds an object or a list as JSON stands for it.',
    {
      example: {
        line_coverage: 91,
      },
    },
  ),
  ...attestationFields,
});

/** The data of a decision. */
export const DecisionDataInput = body('DecisionDataInput', { is_compliant: flag() });

/** The data of a bill of materials, as its sender read it. The service also reads the file itself. */
export const SbomDataInput = body('SbomDataInput', {
  format: optional(text('What the sender takes the file for.', { max: 100, example: 'cyclonedx-1.6' })),
  original_fingerprint: fingerprint('SHA-256 of the file.', { example: 'a'.repeat(64) }),
  document: optional(freeObject('What the sender read of the file.', { example: { package_count: 120 } })),
});

export const SystemAttestationInput = body('SystemAttestationInput', {
  type_name: oneOf(['decision', 'sbom'], 'The kind of attestation.', { example: 'decision' }),
  control: optional(
    text('Identifier of the control of a decision.', { pattern: PATTERNS.control, max: NAME_MAX, example: 'SDLC-7' }),
  ),
  attestation_data: anyJson(
    'An object, or a text that holds it as JSON. The schema of its type is in `GET /attestations/system-attestation-types`.',
    { example: { is_compliant: true } },
  ),
  ...attestationFields,
});

/** `POST …/override`. */
export const OverrideInput = closed('OverrideInput', {
  reason: text('The reason of the override.', { min: 1, max: 65_536, example: 'A known false alarm, see ticket 4711' }),
  new_compliance_status: flag('The status until a newer attestation of the name.', { example: true }),
  original_attestation_type: text('The type that the override replaces.', { min: 1, max: NAME_MAX, example: 'snyk' }),
  ...attestationFields,
});
