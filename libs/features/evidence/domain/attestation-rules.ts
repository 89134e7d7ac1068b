/** For each type, the fields that its rule reads, by their names in requests. */
export interface GenericPayload {
  readonly is_compliant: boolean;
}
export interface JunitPayload {
  readonly junit_results: readonly { readonly failures: number; readonly errors: number }[];
}
export interface JiraPayload {
  readonly jira_results?: readonly { readonly issue_exists: boolean }[];
}
export interface SnykPayload {
  readonly snyk_results: {
    readonly results: readonly {
      readonly critical_count?: number;
      readonly high_count: number;
      readonly medium_count: number;
      readonly low_count: number;
    }[];
  };
}
export interface SonarPayload {
  readonly sonar_results: { readonly qualityGate?: { readonly status: string } };
}
export interface PullRequestPayload {
  readonly pull_requests?: readonly unknown[];
}
export interface DecisionPayload {
  readonly attestation_data: { readonly is_compliant: boolean };
}
export interface OverridePayload {
  readonly new_compliance_status: boolean;
}

/** Decides whether an attestation of a built-in type is compliant. Custom types have their own rules. */
export const compliantBy = {
  generic: ({ is_compliant }: GenericPayload): boolean => is_compliant,
  junit: ({ junit_results }: JunitPayload): boolean =>
    junit_results.every(({ failures, errors }) => failures === 0 && errors === 0),
  jira: ({ jira_results = [] }: JiraPayload): boolean =>
    jira_results.length > 0 && jira_results.every(({ issue_exists }) => issue_exists),
  snyk: ({ snyk_results: { results } }: SnykPayload): boolean =>
    results.every(({ critical_count = 0, high_count, medium_count, low_count }) =>
      [critical_count, high_count, medium_count, low_count].every((count) => count === 0),
    ),
  sonar: ({ sonar_results: { qualityGate } }: SonarPayload): boolean => qualityGate?.status === 'OK',
  pull_request: ({ pull_requests = [] }: PullRequestPayload): boolean => pull_requests.length > 0,
  decision: ({ attestation_data }: DecisionPayload): boolean => attestation_data.is_compliant,
  /** An SBOM that can be read is always compliant. An unreadable one is refused. */
  sbom: (): boolean => true,
  override: ({ new_compliance_status }: OverridePayload): boolean => new_compliance_status,
} as const;
