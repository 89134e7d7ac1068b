import type { DefaultOrganizationChosen } from '@assurance/contracts/access/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import type { User } from './user';

/**
 * Chooses a user's default organization, which applies if no organization is named.
 *
 * @param facts.member whether the user is a member of it
 */
export function decideChooseDefault(
  state: Pick<User, 'defaultOrganization'>,
  command: { readonly organization: string },
  facts: { readonly member: boolean },
): Decision<DefaultOrganizationChosen, 'no-member'> {
  if (!facts.member) return refused('no-member');
  if (state.defaultOrganization === command.organization) return noChange;
  return accepted({ type: 'DefaultOrganizationChosen', version: 1, data: command });
}
