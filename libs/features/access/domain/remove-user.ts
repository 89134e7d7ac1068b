import type { UserRemoved } from '@assurance/contracts/access/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import type { User } from './user';

export type RemoveUserRefusal = { readonly kind: 'user-belongs'; readonly organizations: readonly string[] };

/**
 * Removes a user and all keys of the user.
 *
 * @param facts.organizations names of the shared organizations that the user is a member of: there must be none
 */
export function decideRemoveUser(
  state: User | null,
  _command: object,
  { organizations }: { readonly organizations: readonly string[] },
): Decision<UserRemoved, RemoveUserRefusal> {
  if (state === null || state.removed === true) return noChange;
  if (organizations.length > 0) return refused({ kind: 'user-belongs', organizations });
  return accepted({ type: 'UserRemoved', version: 1, data: {} });
}
