import { body, optional } from '../../http/bodies/body';
import { DESCRIPTION_MAX } from '../../http/bodies/limits';
import { time } from '../../http/bodies/words';
import { PATTERNS } from '../../http/patterns';
import { integer, oneOf, text, type TypeOf } from '../../http/shape';
import { ROLES, SOURCES } from '../events';

/** The most characters of a service account's name (specification 8). */
export const SERVICE_ACCOUNT_NAME_MAX = 64;
const DISPLAY_NAME_MAX = 256;
const EMAIL_MAX = 320;
/** The most characters of the name of a user or an organization. */
export const ACCOUNT_NAME_MAX = 100;

/** `POST /service-accounts/{org}`. */
export const ServiceAccountPostInput = body('ServiceAccountPostInput', {
  name: text('Name of the service account, unique in the organization.', {
    pattern: PATTERNS.serviceAccount,
    max: SERVICE_ACCOUNT_NAME_MAX,
    example: 'ci',
  }),
  privilege: optional(oneOf(ROLES, 'Its role; at most the caller’s. Default: `reader`.', { example: 'member' })),
  description: optional(text('The description.', { max: DESCRIPTION_MAX, example: 'Reports of the build pipeline' })),
  display_name: optional(
    text('The display name; default: the name.', { min: 1, max: DISPLAY_NAME_MAX, example: 'Build pipeline' }),
  ),
});

/** `PATCH /service-accounts/{org}/{name}`. */
export const ServiceAccountPatchInput = body('ServiceAccountPatchInput', {
  privilege: optional(oneOf(ROLES, 'Its role; at most the caller’s.', { example: 'reader' })),
  description: optional(text('The description. An empty text removes it.', { max: DESCRIPTION_MAX })),
  display_name: optional(text('The display name.', { min: 1, max: DISPLAY_NAME_MAX })),
});

/** Thirty days. */
const GRACE_HOURS_MAX = 720;

/** `POST .../api-keys`. */
export const ApiKeyPostInput = body('ApiKeyPostInput', {
  description: text('Where it is used.', { max: 256, example: 'build server' }),
  expires_at: optional(time('When it expires, in epoch seconds; 0: never.', { example: 0 })),
});

/** `POST .../api-keys/{id}/rotate`. */
export const ApiKeyRotateInput = body('ApiKeyRotateInput', {
  grace_period_hours: optional(
    integer('For how many hours the old key still works; 0: not at all. Default: 24.', {
      min: 0,
      max: GRACE_HOURS_MAX,
      example: 24,
    }),
  ),
  expires_at: optional(
    time('When the new key expires, in epoch seconds; 0: never. Default: the lifetime of the old key.'),
  ),
});
export type ApiKeyRotateInput = TypeOf<typeof ApiKeyRotateInput>;

/** `PUT /organizations/{org}/members/{user}`. */
export const MemberPutInput = body('MemberPutInput', {
  role: oneOf(ROLES, 'The role of the member.', { example: 'member' }),
  source: optional(oneOf(SOURCES, 'The source of the change; `app` if omitted.', { example: 'app' })),
  email: optional(
    text('The address of a person to invite, who is not a member yet.', {
      min: 3,
      max: EMAIL_MAX,
      pattern: PATTERNS.email,
      example: 'grace@example.com',
    }),
  ),
});

/** `POST /organizations/{org}/invitations`. */
export const InvitationPostInput = body('InvitationPostInput', {
  email: text('The address of the invited person.', {
    min: 3,
    max: EMAIL_MAX,
    pattern: PATTERNS.email,
    example: 'grace@example.com',
  }),
  role: oneOf(ROLES, 'The role of the member.', { example: 'member' }),
  user: optional(
    text('A suggested user name for a person who is not a user yet. It is not looked up.', {
      pattern: PATTERNS.account,
      max: ACCOUNT_NAME_MAX,
      example: 'grace',
    }),
  ),
});

/** `POST /invitations/accept`. */
export const InvitationJoinInput = body('InvitationJoinInput', {
  user: optional(
    text('The name of the new user; default: the suggestion of the invitation.', {
      pattern: PATTERNS.account,
      max: ACCOUNT_NAME_MAX,
      example: 'grace',
    }),
  ),
});

/** `POST /user/invitations`. */
export const InvitationAcceptInput = body('InvitationAcceptInput', {
  token: text('The token of the invitation.', {
    min: 1,
    max: 256,
    example: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k',
  }),
});

/** `POST /organizations`. */
export const OrganizationPostInput = body('OrganizationPostInput', {
  name: text(
    'Name of the organization. It must differ from names of users and organizations by more than letter case.',
    { pattern: PATTERNS.account, max: ACCOUNT_NAME_MAX, example: 'acme' },
  ),
});

/** `POST /user/identities`. */
export const AttachIdentityInput = body('AttachIdentityInput', {
  return_to: text('Path of a page to come back to.', { max: 1_500, example: '/acme/settings/sign-in' }),
});
