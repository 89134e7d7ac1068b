import { type Aggregate, keyOf, type MembershipEvent, type Role } from '@assurance/contracts-events';

export interface Membership {
  readonly org: string;
  readonly user: string;
  readonly userName: string;
  readonly role: Role;
}

export const membership: Aggregate<Membership, MembershipEvent> = {
  kind: 'membership',
  heads: {
    name: 'memberships',
    indexes: [
      {
        name: 'by_user',
        fields: [
          ['user', 'asc'],
          ['org', 'asc'],
        ],
      },
    ],
  },
  fold: 1,
  evolve: (_state, { data }, { stream }) => ({
    org: keyOf(stream).split('/')[0] ?? '',
    user: data.user,
    userName: data.userName,
    role: data.role,
  }),
};
