import type { MemberRemoved, MembershipSource } from '@assurance/contracts-events';
import { accepted, type Decision, nothing } from '@assurance/kernel';
import type { Membership } from '@assurance/model';

/** Takes a user out of an organization. Who is no member stays none. */
export function decideRemoveMember(
  state: Membership | null,
  { source, changedBy }: { readonly source: MembershipSource; readonly changedBy?: string },
): Decision<MemberRemoved, never> {
  if (state === null || state.role === null) return nothing;
  const { user, userName, role } = state;
  return accepted({
    type: 'MemberRemoved',
    version: 1,
    data: { user, userName, source, ...(changedBy === undefined ? {} : { changedBy }), previousRole: role },
  });
}
