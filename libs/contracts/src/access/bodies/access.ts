import { body } from '../../http/bodies/body';
import { DESCRIPTION_MAX } from '../../http/bodies/limits';
import { Doc, Optional, Text, WholeNumber, WholeTime, Word } from '../../http/bodies/rules';
import { PATTERNS } from '../../http/patterns';
import { ROLES, SOURCES } from '../events';

/** The most characters of a service account's name (specification 8). */
export const SERVICE_ACCOUNT_NAME_MAX = 64;
const DISPLAY_NAME_MAX = 256;
const EMAIL_MAX = 320;
/** The most characters of the name of a user or an organization. */
export const ACCOUNT_NAME_MAX = 100;

/** `POST /service-accounts/{org}`. */
export const ServiceAccountPostInput = body('ServiceAccountPostInput', {
  name: [
    Doc('Name of the service account, unique in the organization.', 'ci'),
    Text({ pattern: PATTERNS.serviceAccount, max: SERVICE_ACCOUNT_NAME_MAX }),
  ],
  privilege: [Doc('Its role; at most the caller’s. Default: `reader`.', 'member'), Optional(Word(ROLES))],
  description: [Doc('The description.', 'Reports of the build pipeline'), Optional(Text({ max: DESCRIPTION_MAX }))],
  display_name: [
    Doc('The display name; default: the name.', 'Build pipeline'),
    Optional(Text({ min: 1, max: DISPLAY_NAME_MAX })),
  ],
});

/** `PATCH /service-accounts/{org}/{name}`. */
export const ServiceAccountPatchInput = body('ServiceAccountPatchInput', {
  privilege: [Doc('Its role; at most the caller’s.', 'reader'), Optional(Word(ROLES))],
  description: [Doc('The description. An empty text removes it.'), Optional(Text({ max: DESCRIPTION_MAX }))],
  display_name: [Doc('The display name.'), Optional(Text({ min: 1, max: DISPLAY_NAME_MAX }))],
});

/** Thirty days. */
const GRACE_HOURS_MAX = 720;

/** `POST .../api-keys`. */
export const ApiKeyPostInput = body('ApiKeyPostInput', {
  description: [Doc('Where it is used.', 'build server'), Text({ max: 256 })],
  expires_at: [Doc('When it expires, in epoch seconds; 0: never.', 0), Optional(WholeTime())],
});

/** `POST .../api-keys/{id}/rotate`. */
export const ApiKeyRotateInput = body('ApiKeyRotateInput', {
  grace_period_hours: [
    Doc('For how many hours the old key still works; 0: not at all. Default: 24.', 24),
    Optional(WholeNumber(0, GRACE_HOURS_MAX)),
  ],
  expires_at: [
    Doc('When the new key expires, in epoch seconds; 0: never. Default: the lifetime of the old key.'),
    Optional(WholeTime()),
  ],
});
export type ApiKeyRotateInput = InstanceType<typeof ApiKeyRotateInput>;

/** `PUT /organizations/{org}/members/{user}`. */
export const MemberPutInput = body('MemberPutInput', {
  role: [Doc('The role of the member.', 'member'), Word(ROLES)],
  source: [Doc('The source of the change; `app` if omitted.', 'app'), Optional(Word(SOURCES))],
  email: [
    Doc('The address of a person to invite, who is not a member yet.', 'grace@example.com'),
    Optional(Text({ min: 3, max: EMAIL_MAX, pattern: PATTERNS.email })),
  ],
});

/** `POST /organizations/{org}/invitations`. */
export const InvitationPostInput = body('InvitationPostInput', {
  email: [
    Doc('The address of the invited person.', 'grace@example.com'),
    Text({ min: 3, max: EMAIL_MAX, pattern: PATTERNS.email }),
  ],
  role: [Doc('The role of the member.', 'member'), Word(ROLES)],
  user: [
    Doc('A suggested user name for a person who is not a user yet. It is not looked up.', 'grace'),
    Optional(Text({ pattern: PATTERNS.account, max: ACCOUNT_NAME_MAX })),
  ],
});

/** `POST /invitations/accept`. */
export const InvitationJoinInput = body('InvitationJoinInput', {
  user: [
    Doc('The name of the new user; default: the suggestion of the invitation.', 'grace'),
    Optional(Text({ pattern: PATTERNS.account, max: ACCOUNT_NAME_MAX })),
  ],
});

/** `POST /user/invitations`. */
export const InvitationAcceptInput = body('InvitationAcceptInput', {
  token: [
    Doc('The token of the invitation.', 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k'),
    Text({ min: 1, max: 256 }),
  ],
});

/** `POST /organizations`. */
export const OrganizationPostInput = body('OrganizationPostInput', {
  name: [
    Doc(
      'Name of the organization. It must differ from names of users and organizations by more than letter case.',
      'acme',
    ),
    Text({ pattern: PATTERNS.account, max: ACCOUNT_NAME_MAX }),
  ],
});

/** `POST /user/identities`. */
export const AttachIdentityInput = body('AttachIdentityInput', {
  return_to: [Doc('Path of a page to come back to.', '/acme/settings/sign-in'), Text({ max: 1_500 })],
});
