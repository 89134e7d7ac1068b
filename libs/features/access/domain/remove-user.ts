import type { UserRemoved } from '@assurance/contracts/access/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import type { User } from './user';

export type RemoveUserRefusal =
  { readonly kind: 'user-belongs'; readonly organizations: readonly string[] } | { readonly kind: 'user-stores' };

/**
 * Removes a user and all keys of the user.
 *
 * @param command.isConfirmed whether to remove also a user whose personal organization stores something: nobody else can read that
 * @param facts.organizations names of the shared organizations that the user is a member of: there must be none
 * @param facts.stores whether the personal organization of the user has environments or flows
 */
export function decideRemoveUser(
  state: User | null,
  { isConfirmed }: { readonly isConfirmed: boolean },
  { organizations, stores }: { readonly organizations: readonly string[]; readonly stores: boolean },
): Decision<UserRemoved, RemoveUserRefusal> {
  if (state === null || state.removed === true) return noChange;
  if (organizations.length > 0) return refused({ kind: 'user-belongs', organizations });
  if (stores && !isConfirmed) return refused({ kind: 'user-stores' });
  return accepted({ type: 'UserRemoved', version: 1, data: {} });
}
