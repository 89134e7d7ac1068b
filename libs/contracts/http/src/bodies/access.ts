import { type MembershipSource, type Role, ROLES, SOURCES } from '@assurance/contracts-events';
import { PATTERNS } from '../patterns';
import { DESCRIPTION_MAX } from './limits';
import { Doc, Optional, Text, WholeNumber, WholeTime, Word } from './rules';

/** The most characters of a service account's name (specification 8). */
export const SERVICE_ACCOUNT_NAME_MAX = 64;
const DISPLAY_NAME_MAX = 256;
const EMAIL_MAX = 320;
/** The most characters of the name of a user or an organization. */
export const ACCOUNT_NAME_MAX = 100;

/** `POST /service-accounts/{org}`. */
export class ServiceAccountPostInput {
  @Doc('Name of the service account, unique in the organization.', 'ci')
  @Text({ pattern: PATTERNS.serviceAccount, max: SERVICE_ACCOUNT_NAME_MAX })
  name!: string;

  @Doc('What it may do; at most what the caller may.', 'member')
  @Word(ROLES)
  privilege!: Role;

  @Doc('What it is for.', 'Reports of the build pipeline')
  @Optional()
  @Text({ max: DESCRIPTION_MAX })
  description?: string;

  @Doc('How it is shown; its name unless given.', 'Build pipeline')
  @Optional()
  @Text({ min: 1, max: DISPLAY_NAME_MAX })
  display_name?: string;
}

/** `PATCH /service-accounts/{org}/{name}`. */
export class ServiceAccountPatchInput {
  @Doc('What it may do; at most what the caller may.', 'reader')
  @Optional()
  @Word(ROLES)
  privilege?: Role;

  @Doc('What it is for. An empty text clears it.')
  @Optional()
  @Text({ max: DESCRIPTION_MAX })
  description?: string;

  @Doc('How it is shown.')
  @Optional()
  @Text({ min: 1, max: DISPLAY_NAME_MAX })
  display_name?: string;
}

/** A hundred years. */
const GRACE_HOURS_MAX = 876_000;

/** `POST .../api-keys`. */
export class ApiKeyPostInput {
  @Doc('Where it is used.', 'build server')
  @Text({ max: 1_024 })
  description!: string;

  @Doc('When it stops to work, in epoch seconds; 0: never.', 0)
  @Optional()
  @WholeTime()
  expires_at?: number;
}

/** `POST .../api-keys/{id}/rotate`. */
export class ApiKeyRotateInput {
  @Doc('For how many hours the old key works on; 0: not at all. A day unless given.', 24)
  @Optional()
  @WholeNumber(0, GRACE_HOURS_MAX)
  grace_period_hours?: number;

  @Doc('When the new key stops to work, in epoch seconds; 0: never. As long as the old one was given unless said.')
  @Optional()
  @WholeTime()
  expires_at?: number;
}

/** `PUT /organizations/{org}/members/{user}`. */
export class MemberPutInput {
  @Doc('What the member may do.', 'member')
  @Word(ROLES)
  role!: Role;

  @Doc('Where the change of a role comes from; `app` unless given.', 'app')
  @Optional()
  @Word(SOURCES)
  source?: MembershipSource;

  @Doc('Address of somebody who is no member yet: they are invited.', 'grace@example.com')
  @Optional()
  @Text({ min: 3, max: EMAIL_MAX, pattern: PATTERNS.email })
  email?: string;
}

/** `POST /organizations/{org}/invitations`. */
export class InvitationPostInput {
  @Doc('Address of the person who is invited.', 'grace@example.com')
  @Text({ min: 3, max: EMAIL_MAX, pattern: PATTERNS.email })
  email!: string;

  @Doc('What the member may do.', 'member')
  @Word(ROLES)
  role!: Role;

  @Doc('A user name to suggest to somebody who has none. It is not looked up.', 'grace')
  @Optional()
  @Text({ pattern: PATTERNS.account, max: ACCOUNT_NAME_MAX })
  user?: string;
}

/** `POST /invitations/accept`. */
export class InvitationJoinInput {
  @Doc('The name of the new user; what the invitation suggests unless given.', 'grace')
  @Optional()
  @Text({ pattern: PATTERNS.account, max: ACCOUNT_NAME_MAX })
  user?: string;
}

/** `POST /user/invitations`. */
export class InvitationAcceptInput {
  @Doc('The token of the invitation.', 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k')
  @Text({ min: 1, max: 256 })
  token!: string;
}

/** `POST /organizations`. */
export class OrganizationPostInput {
  @Doc('Name of the organization. It differs by more than case from those of all users and organizations.', 'acme')
  @Text({ pattern: PATTERNS.account, max: ACCOUNT_NAME_MAX })
  name!: string;
}
