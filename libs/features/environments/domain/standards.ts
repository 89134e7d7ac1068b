import type { Environment } from '@assurance/contracts/environments/documents';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { PolicyAttached, PolicyDetached, PolicyRef } from '@assurance/contracts/policies/events';
import { accepted, type Decision, err, noChange, ok, refused, type Result } from '@assurance/kernel';
/** The most policies of one environment, because each one judges all artifacts that run there. */
export const POLICIES_MAX = 100;

export type AttachRefusal = FeatureRefusal<'too-many-policies'>;

/** Attaches policies; those that are attached change nothing. */
export function decideAttachPolicies(
  { name, policies }: Environment,
  refs: readonly PolicyRef[],
): Decision<PolicyAttached, AttachRefusal> {
  const newPolicies = distinctById(refs).filter(({ id }) => !policies.includes(id));
  const count = policies.length + newPolicies.length;
  if (count > POLICIES_MAX) {
    return refused({ kind: 'too-many-policies', count, limit: POLICIES_MAX, field: 'policy_names' });
  }
  const [first, ...others] = newPolicies.map((policy) => policyAttached(policy, name));
  return first === undefined ? noChange : accepted(first, ...others);
}

/** Detaches policies; those that are not attached change nothing. */
export function decideDetachPolicies(
  { name, policies }: Environment,
  refs: readonly PolicyRef[],
): Decision<PolicyDetached, never> {
  const [first, ...others] = distinctById(refs)
    .filter(({ id }) => policies.includes(id))
    .map((policy) => policyDetached(policy, name));
  return first === undefined ? noChange : accepted(first, ...others);
}

/**
 * Makes exactly these policies the attached ones. It detaches the others, and then attaches the new ones in the order of the list. The rest
 * keep their order.
 *
 * @param name of the environment
 * @param attachedPolicies the attached ones
 */
export function changesOfPolicies(
  name: string,
  attachedPolicies: readonly PolicyRef[],
  refs: readonly PolicyRef[],
): Result<readonly (PolicyAttached | PolicyDetached)[], AttachRefusal> {
  const distinctRefs = distinctById(refs);
  const count = distinctRefs.length;
  if (count > POLICIES_MAX) return err({ kind: 'too-many-policies', count, limit: POLICIES_MAX, field: 'policies' });
  const subtractPolicies = (policies: readonly PolicyRef[], others: readonly PolicyRef[]) => {
    const ids = new Set(others.map(({ id }) => id));
    return policies.filter(({ id }) => !ids.has(id));
  };
  return ok([
    ...subtractPolicies(attachedPolicies, distinctRefs).map((policy) => policyDetached(policy, name)),
    ...subtractPolicies(distinctRefs, attachedPolicies).map((policy) => policyAttached(policy, name)),
  ]);
}

function policyAttached(policy: PolicyRef, environment: string): PolicyAttached {
  return { type: 'PolicyAttached', version: 1, data: { policy, environment } };
}

function policyDetached(policy: PolicyRef, environment: string): PolicyDetached {
  return { type: 'PolicyDetached', version: 1, data: { policy, environment } };
}

function distinctById(refs: readonly PolicyRef[]): readonly PolicyRef[] {
  return [...new Map(refs.map((ref) => [ref.id, ref])).values()];
}
