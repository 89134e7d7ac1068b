import type { MemberPut, NewInvitation, WelcomeAnswer } from '@assurance/contracts/access/answers/access';
import type { Caller } from './caller';
import type { World } from './world';

type Callers = Pick<World, 'withHeader'>;

/** A caller with the token of an invitation. */
export const invited = (callers: Callers, { token }: Pick<NewInvitation, 'token'>): Caller =>
  callers.withHeader(`Bearer ${token}`);

/** An invitation of an address that belongs to a name. */
export function invite(admin: Caller, user: string, role: string, org = 'acme'): Promise<NewInvitation> {
  const json = { email: `${user}@example.com`, role, user };
  return admin.expect<NewInvitation>(201, 'POST', `/organizations/${org}/invitations`, { json });
}

/** Invites somebody new by the route of members, and accepts in their place. @returns their first key */
export async function newMember(
  callers: Callers,
  admin: Caller,
  user: string,
  role: string,
  org = 'acme',
): Promise<string> {
  const json = { role, email: `${user}@example.com` };
  const put = await admin.expect<MemberPut>(201, 'PUT', `/organizations/${org}/members/${user}`, { json });
  if (put.invitation === null) throw new Error(`${user} was a member already`);
  const accepting = invited(callers, put.invitation);
  return (await accepting.expect<WelcomeAnswer>(201, 'POST', '/invitations/accept', { json: {} })).api_key;
}
