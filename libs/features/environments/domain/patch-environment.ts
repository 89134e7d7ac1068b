import type { Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentSettings, EnvironmentUpdated } from '@assurance/contracts/environments/events';
import type { PolicyAttached, PolicyDetached, PolicyRef } from '@assurance/contracts/policies/events';
import { accepted, changedOf, type Decision, noChange, refused } from '@assurance/kernel';
import { changedInterval } from './put-environment';
import { type AttachRefusal, changesOfPolicies } from './standards';

export interface PatchEnvironment extends Partial<
  Pick<EnvironmentSettings, 'description' | 'includeScaling' | 'includedEnvironments' | 'reportEvery'>
> {
  /** All that are to be attached; absent keeps those that are. */
  readonly policies?: readonly PolicyRef[] | undefined;
}

/**
 * Changes the given settings. An empty description clears the present one.
 *
 * @param facts.attachedPolicies the policies that are attached
 */
export function decidePatchEnvironment(
  state: Environment,
  { description, includeScaling, includedEnvironments, reportEvery, policies }: PatchEnvironment,
  facts: { readonly attachedPolicies: readonly PolicyRef[] },
): Decision<EnvironmentUpdated | PolicyAttached | PolicyDetached, AttachRefusal> {
  const changes = changedOf<EnvironmentSettings>(state, {
    description,
    includeScaling,
    includedEnvironments: state.type === 'logical' ? (includedEnvironments ?? undefined) : undefined,
    reportEvery: changedInterval(state, reportEvery),
  });
  const policyChanges = changesOfPolicies(state.name, facts.attachedPolicies, policies ?? facts.attachedPolicies);
  if (!policyChanges.ok) return refused(policyChanges.refusal);
  const updated = changes === null ? [] : [{ type: 'EnvironmentUpdated', version: 1, data: changes } as const];
  const [first, ...rest] = [...updated, ...policyChanges.value];
  return first === undefined ? noChange : accepted(first, ...rest);
}
