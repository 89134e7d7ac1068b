import type { MembershipEvent, Role } from '@assurance/contracts/access/events';
import { type Aggregate, index } from '@assurance/contracts/events/aggregate';
import { keyOf } from '@assurance/contracts/events/streams';

export interface Membership {
  readonly org: string;
  readonly user: string;
  readonly userName: string;
  /** Null once the user was removed. */
  readonly role: Role | null;
  /** Id of the invitation that was accepted last. It stays after a removal, because the invitation cannot be used again. */
  readonly invitation?: string;
  /** Groups at an OpenID Connect provider made the newest change, not a person. */
  readonly mapped?: true;
}

/** Whether groups at an OpenID Connect provider may change the role. They may if no person changed it after the groups did. */
export function isManagedByGroups(state: Membership | null): boolean {
  return state === null || state.mapped === true;
}

export const membership: Aggregate<Membership, MembershipEvent> = {
  kind: 'membership',
  states: {
    name: 'memberships',
    indexes: [index('by_user', 'user', 'org'), index('by_org', 'org', 'userName')],
  },
  schemaVersion: 3,
  evolve: (state, event, { stream }) => ({
    org: keyOf(stream).split('/')[0] ?? '',
    user: event.data.user,
    userName: event.data.userName,
    role: event.type === 'MemberRemoved' ? null : event.data.role,
    ...invitationAfter(state, event),
    ...(event.data.mapped === true ? { mapped: true as const } : {}),
  }),
};

function invitationAfter(state: Membership | null, event: MembershipEvent): Pick<Membership, 'invitation'> {
  const invitation = (event.type === 'MemberAdded' ? event.data.invitation : undefined) ?? state?.invitation;
  return invitation === undefined ? {} : { invitation };
}
