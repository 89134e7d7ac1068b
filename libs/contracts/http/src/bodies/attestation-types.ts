import { PATTERNS } from '../patterns';
import { AttestationInput } from './attestation';
import {
  JiraResultInput,
  JunitResultInput,
  PullRequestInput,
  SnykResultsInput,
  SonarResultsInput,
} from './attestation-payloads';
import { Doc, Flag, Nested, NestedList, Optional, Text, Word } from './rules';
import { NAME_MAX } from './limits';

export class GenericAttestationInput extends AttestationInput {
  @Doc('Whether it is compliant.', true)
  @Flag()
  is_compliant!: boolean;
}

export class JunitAttestationInput extends AttestationInput {
  @Doc('One for each suite; compliant if none has failures or errors.')
  @NestedList(() => JunitResultInput)
  junit_results!: readonly JunitResultInput[];
}

export class JiraAttestationInput extends AttestationInput {
  @Doc('The referenced issues; compliant if there is at least one and all exist.')
  @Optional(NestedList(() => JiraResultInput))
  jira_results?: readonly JiraResultInput[];
}

export class SnykAttestationInput extends AttestationInput {
  @Doc('Compliant if all counts are zero.')
  @Nested(() => SnykResultsInput)
  snyk_results!: SnykResultsInput;
}

export class SonarAttestationInput extends AttestationInput {
  @Doc('Compliant if the quality gate is `OK`.')
  @Nested(() => SonarResultsInput)
  sonar_results!: SonarResultsInput;
}

export class PullRequestAttestationInput extends AttestationInput {
  @Doc('Such as github, gitlab, bitbucket, azure.', 'github')
  @Optional(Text({ max: 100 }))
  git_provider?: string;

  @Doc('Compliant if there is one.')
  @Optional(NestedList(() => PullRequestInput))
  pull_requests?: readonly PullRequestInput[];
}

export class CustomAttestationInput extends AttestationInput {
  @Doc('Name of the custom attestation type whose schema and rules check the data.', 'coverage')
  @Text({ min: 1, max: NAME_MAX })
  type_name!: string;

  @Doc('Any JSON that is valid for the schema of the type.', { line_coverage: 91 })
  @Optional()
  attestation_data?: unknown;
}

/** The decision. */
export class DecisionDataInput {
  @Flag()
  is_compliant!: boolean;
}

export class SystemAttestationInput extends AttestationInput {
  @Doc('The kind of attestation.', 'decision')
  @Word(['decision'])
  type_name!: string;

  @Doc('Identifier of the control of the decision.', 'SDLC-7')
  @Text({ pattern: PATTERNS.control, max: NAME_MAX })
  control!: string;

  @Nested(() => DecisionDataInput)
  attestation_data!: DecisionDataInput;
}

/** `POST …/override`. */
export class OverrideInput extends AttestationInput {
  @Doc('The reason of the override.', 'A known false alarm, see ticket 4711')
  @Text({ min: 1, max: 65_536 })
  reason!: string;

  @Doc('The status until a newer attestation of the name.', true)
  @Flag()
  new_compliance_status!: boolean;

  @Doc('The type that the override replaces.', 'snyk')
  @Text({ min: 1, max: NAME_MAX })
  original_attestation_type!: string;
}
