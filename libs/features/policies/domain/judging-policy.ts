import type { PolicyVerdict } from '@assurance/contracts/policies/events';
import type { DeniedComponents } from './bill';
import type { ReadRules } from './rules';
import type { ExceedingVulnerabilities } from './vulnerable';

/** A version of a policy with its rules parsed. */
export interface JudgingPolicy {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly rules: ReadRules;
}

/** The result of a policy, with the components that it denies and the vulnerabilities that it does not accept. */
export interface JudgedBy {
  readonly verdict: PolicyVerdict;
  readonly denied: readonly DeniedComponents[];
  readonly exceeding: readonly ExceedingVulnerabilities[];
}
