import type { Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentUpdated } from '@assurance/contracts/environments/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
/** The most members of a logical environment: its aggregate state names each. */
export const MEMBERS_MAX = 500;

export type JoinRefusal = FeatureRefusal<'environment-not-logical' | 'too-many-members'>;

/**
 * Makes an environment a member of a logical environment. Repeating it changes nothing.
 *
 * @param command.member id of the environment, which exists and is physical
 */
export function decideJoin(
  { name, type, includedEnvironments }: Environment,
  { member }: { readonly member: string },
): Decision<EnvironmentUpdated, JoinRefusal> {
  if (type !== 'logical') return refused({ kind: 'environment-not-logical', name, is: type });
  const members = includedEnvironments ?? [];
  if (members.includes(member)) return noChange;
  if (members.length >= MEMBERS_MAX) return refused({ kind: 'too-many-members', limit: MEMBERS_MAX });
  const data = { includedEnvironments: [...members, member] };
  return accepted({ type: 'EnvironmentUpdated', version: 1, data });
}
