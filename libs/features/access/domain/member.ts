import type { MemberRemoved, MembershipChange } from '@assurance/contracts/access/events';
import { accepted, type Decision, noChange } from '@assurance/kernel';
import type { Membership } from './membership';

/** Removes a user from an organization. Does nothing for a user who is not a member. */
export function decideRemoveMember(
  state: Membership | null,
  { source, changedBy, mapped }: Pick<MembershipChange, 'source' | 'changedBy' | 'mapped'>,
): Decision<MemberRemoved, never> {
  if (state === null || state.role === null) return noChange;
  const { user, userName, role } = state;
  return accepted({
    type: 'MemberRemoved',
    version: 1,
    data: {
      user,
      userName,
      source,
      ...(changedBy === undefined ? {} : { changedBy }),
      ...(mapped === undefined ? {} : { mapped }),
      previousRole: role,
    },
  });
}
