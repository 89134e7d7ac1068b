import type { ApiKey, InvitationAccepted, InvitationRevoked, MemberInvited } from '@assurance/contracts/access/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import type { Invitation } from './invitation';

export type AcceptRefusal = FeatureRefusal<'invitation-invalid' | 'invitation-elsewhere' | 'member-already'>;

/** Invites an address. This replaces an open invitation of the same address, and the old token stops working. */
export function decideInvite(_state: Invitation | null, data: MemberInvited['data']): Decision<MemberInvited, never> {
  return accepted({ type: 'MemberInvited', version: 1, data });
}

/** Revokes an invitation that is open. */
export function decideRevokeInvitation(
  state: Invitation | null,
  { id }: { readonly id: string },
): Decision<InvitationRevoked, { readonly kind: 'invitation-unknown' }> {
  if (state === null || state.id !== id || state.status !== 'open') return refused({ kind: 'invitation-unknown' });
  return accepted({ type: 'InvitationRevoked', version: 1, data: { id } });
}

export interface AcceptInvitation {
  /** Id of the invitation. */
  readonly id: string;
  readonly user: { readonly id: string; readonly name: string };
  /** Address of an existing user. It must be the address of the invitation, unless it is empty. */
  readonly email?: string;
  /** The first key of a new user. */
  readonly key?: ApiKey;
}

/**
 * Accepts an invitation, which can be accepted once. Its event decides user, key and membership, which follow in other streams.
 *
 * @param facts.at integer milliseconds
 * @param facts.member whether the user is a member already
 */
export function decideAcceptInvitation(
  state: Invitation | null,
  { id, user, email = '', key }: AcceptInvitation,
  { at, member }: { readonly at: number; readonly member: boolean },
): Decision<InvitationAccepted, AcceptRefusal> {
  if (state === null || state.id !== id) return refused({ kind: 'invitation-invalid' });
  // The same user may repeat the request if the first answer got lost. A new user (with a key) may not, since they would get a second key.
  if (state.status === 'accepted' && state.acceptedBy === user.id && key === undefined) return noChange;
  if (state.status !== 'open' || state.expiresAt * 1_000 <= at) return refused({ kind: 'invitation-invalid' });
  if (email !== '' && email.toLowerCase() !== state.email.toLowerCase())
    return refused({ kind: 'invitation-elsewhere' });
  if (member) return refused({ kind: 'member-already' });
  const { role, invitedBy } = state;
  const fields = { email: state.email, role, invitedBy };
  const data = { id, user: user.id, userName: user.name, ...fields, ...(key === undefined ? {} : { key }) };
  return accepted({ type: 'InvitationAccepted', version: 1, data });
}
