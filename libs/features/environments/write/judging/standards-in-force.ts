import type { PolicyInForce } from '@assurance/policies/lookups/policy-rules';

/** The policies that judge an environment now: attached ones in their newest versions. */
export interface StandardsInForce {
  readonly policies: readonly PolicyInForce[];
  readonly requireProvenance: boolean;
}
