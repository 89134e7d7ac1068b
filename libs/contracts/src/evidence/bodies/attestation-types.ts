import { body, closed } from '../../http/bodies/body';
import { NAME_MAX } from '../../http/bodies/limits';
import {
  Anything,
  Doc,
  Fingerprint,
  Flag,
  FreeObject,
  Nested,
  NestedList,
  Optional,
  Text,
  Word,
} from '../../http/bodies/rules';
import { PATTERNS } from '../../http/patterns';
import { attestationFields } from './attestation';
import {
  JiraResultInput,
  JunitResultInput,
  PullRequestInput,
  SnykResultsInput,
  SonarResultsInput,
} from './attestation-payloads';

export const GenericAttestationInput = closed('GenericAttestationInput', {
  is_compliant: [Doc('Whether it is compliant.', true), Flag()],
  ...attestationFields,
});

export const JunitAttestationInput = closed('JunitAttestationInput', {
  junit_results: [
    Doc('One for each suite; compliant if none has failures or errors.'),
    NestedList(() => JunitResultInput),
  ],
  ...attestationFields,
});

export const JiraAttestationInput = closed('JiraAttestationInput', {
  jira_results: [
    Doc('The referenced issues; compliant if there is at least one and all exist.'),
    Optional(NestedList(() => JiraResultInput)),
  ],
  ...attestationFields,
});

export const SnykAttestationInput = closed('SnykAttestationInput', {
  snyk_results: [Doc('Compliant if all counts are zero.'), Nested(() => SnykResultsInput)],
  ...attestationFields,
});

export const SonarAttestationInput = closed('SonarAttestationInput', {
  sonar_results: [Doc('Compliant if the quality gate is `OK`.'), Nested(() => SonarResultsInput)],
  ...attestationFields,
});

export const PullRequestAttestationInput = closed('PullRequestAttestationInput', {
  git_provider: [Doc('Such as github, gitlab, bitbucket, azure.', 'github'), Optional(Text({ max: 100 }))],
  pull_requests: [Doc('Compliant if there is one.'), Optional(NestedList(() => PullRequestInput))],
  ...attestationFields,
});

export const CustomAttestationInput = closed('CustomAttestationInput', {
  type_name: [
    Doc('Name of the custom attestation type whose schema and rules check the data.', 'coverage'),
    Text({ min: 1, max: NAME_MAX }),
  ],
  attestation_data: [
    Doc(
      'Any JSON that is valid for the schema of the type. A text that holds an object or a list as JSON stands for it.',
      {
        line_coverage: 91,
      },
    ),
    Anything(),
  ],
  ...attestationFields,
});

/** The data of a decision. */
export const DecisionDataInput = body('DecisionDataInput', { is_compliant: Flag() });

/** The data of a bill of materials, as its sender read it. The service also reads the file itself. */
export const SbomDataInput = body('SbomDataInput', {
  format: [Doc('What the sender takes the file for.', 'cyclonedx-1.6'), Optional(Text({ max: 100 }))],
  original_fingerprint: [Doc('SHA-256 of the file.', 'a'.repeat(64)), Fingerprint()],
  document: [Doc('What the sender read of the file.', { package_count: 120 }), Optional(FreeObject())],
});

export const SystemAttestationInput = body('SystemAttestationInput', {
  type_name: [Doc('The kind of attestation.', 'decision'), Word(['decision', 'sbom'])],
  control: [
    Doc('Identifier of the control of a decision.', 'SDLC-7'),
    Optional(Text({ pattern: PATTERNS.control, max: NAME_MAX })),
  ],
  attestation_data: [
    Doc(
      'An object, or a text that holds it as JSON. The schema of its type is in `GET /attestations/system-attestation-types`.',
      { is_compliant: true },
    ),
    Anything(),
  ],
  ...attestationFields,
});

/** `POST …/override`. */
export const OverrideInput = closed('OverrideInput', {
  reason: [Doc('The reason of the override.', 'A known false alarm, see ticket 4711'), Text({ min: 1, max: 65_536 })],
  new_compliance_status: [Doc('The status until a newer attestation of the name.', true), Flag()],
  original_attestation_type: [Doc('The type that the override replaces.', 'snyk'), Text({ min: 1, max: NAME_MAX })],
  ...attestationFields,
});
