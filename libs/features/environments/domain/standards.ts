import type { Environment } from '@assurance/contracts/environments/documents';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { PolicyAttached, PolicyDetached, PolicyRef } from '@assurance/contracts/policies/events';
import { accepted, type Decision, nothing, refused } from '@assurance/kernel';
/** The most policies of one environment: each is held against all that runs there. */
export const POLICIES_MAX = 100;

export type AttachRefusal = FeatureRefusal<'too-many-policies'>;

/** Attaches policies; those that are attached change nothing. */
export function decideAttachPolicies(
  { name, policies }: Environment,
  refs: readonly PolicyRef[],
): Decision<PolicyAttached, AttachRefusal> {
  const fresh = once(refs).filter(({ id }) => !policies.includes(id));
  if (policies.length + fresh.length > POLICIES_MAX) return refused({ kind: 'too-many-policies', limit: POLICIES_MAX });
  const [first, ...others] = fresh.map((policy): PolicyAttached => ({
    type: 'PolicyAttached',
    version: 1,
    data: { policy, environment: name },
  }));
  return first === undefined ? nothing : accepted(first, ...others);
}

/** Detaches policies; those that are not attached change nothing. */
export function decideDetachPolicies(
  { name, policies }: Environment,
  refs: readonly PolicyRef[],
): Decision<PolicyDetached, never> {
  const [first, ...others] = once(refs)
    .filter(({ id }) => policies.includes(id))
    .map((policy): PolicyDetached => ({ type: 'PolicyDetached', version: 1, data: { policy, environment: name } }));
  return first === undefined ? nothing : accepted(first, ...others);
}

function once(refs: readonly PolicyRef[]): readonly PolicyRef[] {
  return [...new Map(refs.map((ref) => [ref.id, ref])).values()];
}
