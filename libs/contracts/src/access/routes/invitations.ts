import { gives, ok } from '../../http/answers/common';
import { paged } from '../../http/params';
import { INVALID, reads, route, writes } from '../../http/route';
import { NO_PERSON } from '../../http/routes/unknown';
import { list } from '../../http/shape';
import { invitationAnswer, joinedAnswer, newInvitation, welcomeAnswer } from '../answers/access';
import { InvitationAcceptInput, InvitationJoinInput, InvitationPostInput } from '../bodies/access';
import { invitationSample, newInvitationSample } from './samples-access';

const tag = 'Members';
const INVITATIONS = '/api/v2/organizations/{org}/invitations';
const elsewhere = 'This invitation is for another email address than that of your user';
const invalid = 'The invitation does not exist, was used or revoked, or has expired';
const tooMany = 'The organization has reached the limit of 500 administrators. Give one of them another role';
const paths = { id: 'Id of the invitation.' };

/** Routes by which a person becomes a member: an administrator invites and the person accepts. */
export const invitationRoutes = {
  createInvitation: route('POST', INVITATIONS, {
    ...writes(tag, 'organization'),
    summary: 'Invite a person to the organization',
    description:
      'Creates a token for one address. It works once, within seven days. Give it to the person: who accepts it becomes a member and alone gets the keys. The answer does not reveal whether a user with the address exists. It replaces an open invitation of the same address.',
    body: { kind: 'json', shape: InvitationPostInput, example: { email: 'grace@example.com', role: 'member' } },
    answers: gives('The invitation.', newInvitation, newInvitationSample, 201),
    errors: {
      413: ['The organization has reached the limit of 500 open invitations. Withdraw one that nobody accepts'],
    },
  }),
  listInvitations: route('GET', INVITATIONS, {
    ...reads(tag, 'organization.read'),
    summary: 'List the open invitations of an organization',
    description:
      'Ordered by address, without tokens. Expired invitations are included until they are revoked or replaced.',
    query: paged('Invitations', 50),
    answers: gives('One page as a plain list.', list(invitationAnswer), [invitationSample]),
  }),
  revokeInvitation: route('DELETE', `${INVITATIONS}/{id}`, {
    ...writes(tag, 'organization'),
    summary: 'Revoke an invitation',
    description: 'Its token stops working. A repeated request gets 404.',
    paths,
    answers: ok('Revoked.'),
    errors: { 404: ['Invitation not found'] },
  }),
  acceptInvitation: route('POST', '/api/v2/user/invitations', {
    ...writes(tag, 'self'),
    summary: 'Accept an invitation with your own key',
    description:
      'For a person who is a user already. The user’s address must be the invited one, unless the user has none. The same user may repeat the request.',
    body: { kind: 'json', shape: InvitationAcceptInput, example: { token: newInvitationSample.token } },
    answers: gives('You are a member.', joinedAnswer, { organization: 'acme', user: 'grace', role: 'member' }),
    errors: {
      400: [INVALID, 'You are a member of this organization already'],
      403: [NO_PERSON, elsewhere],
      404: [invalid],
      413: [tooMany],
    },
  }),
  joinByInvitation: route('POST', '/api/v2/invitations/accept', {
    ...writes(tag, 'invitation'),
    summary: 'Accept an invitation and become a user',
    description:
      'For a person who is not a user yet. The token of the invitation is the bearer token of this request. The answer has a first API key, which nobody else sees. If the answer is lost, repeat the request within an hour: a new key replaces the first one if that was not used. The new user owns a personal organization of the same name.',
    body: { kind: 'json', shape: InvitationJoinInput, example: { user: 'grace' } },
    answers: gives(
      'You are a user and a member.',
      welcomeAnswer,
      {
        organization: 'acme',
        user: 'grace',
        role: 'member',
        api_key: 'vN7wEjRWeJq83vASNFZ4mrze8BI0Vniaq83vASNFZ4k',
      },
      201,
    ),
    errors: { 401: [invalid], 404: [invalid], 413: [tooMany] },
    texts: { unauthenticated: invalid },
  }),
} as const;
