import type { AdministratorsEvent, MembershipChange, Role } from '@assurance/contracts/access/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import { type Administrators, ADMINISTRATORS_MAX } from './administrators';

export type AdministerRefusal = FeatureRefusal<'last-admin' | 'too-many'>;

/**
 * Adds or removes a user as an administrator of an organization. One stream decides for all administrators of the organization, so two decisions at
 * the same moment cannot remove the last administrator.
 *
 * @param role the user's new role; null: the user is no longer a member
 * @param facts.users ids of the users who are administrators by their memberships. They count if the stream has no event yet
 */
export function decideAdminister(
  state: Administrators | null,
  { role, invitation, ...change }: MembershipChange & { readonly role: Role | null; readonly invitation?: string },
  facts: { readonly users: readonly string[] },
): Decision<AdministratorsEvent, AdministerRefusal> {
  const { users } = state ?? facts;
  const is = users.includes(change.user);
  if (is === (role === 'admin')) return noChange;
  const events: readonly AdministratorsEvent[] =
    state === null && users.length > 0 ? [{ type: 'AdministratorsListed', version: 1, data: { users } }] : [];
  if (!is && users.length >= ADMINISTRATORS_MAX) {
    return refused({ kind: 'too-many', things: 'administrators', limit: ADMINISTRATORS_MAX });
  }
  if (is && users.length === 1) return refused({ kind: 'last-admin' });
  const event: AdministratorsEvent = is
    ? { type: 'AdministratorRemoved', version: 1, data: { ...change, role } }
    : {
        type: 'AdministratorAdded',
        version: 1,
        data: { ...change, ...(invitation === undefined ? {} : { invitation }) },
      };
  const [first, ...rest] = [...events, event];
  return accepted(first ?? event, ...rest);
}
