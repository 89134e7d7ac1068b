import { pageFields, pageLinks } from '../../http/answers/common';
import { component, flag, integer, list, nullable, number, type TypeOf, oneOf, text } from '../../http/shape';
import { ROLES, SOURCES } from '../events';

/** Specification 2.6. */
export const serviceAccountAnswer = component('ServiceAccount', {
  name: text(),
  display_name: text('The display name; the name unless one was given.'),
  privilege: oneOf(ROLES),
  description: text(),
  creating_user_id: text('Id of the user or service account that created it.'),
  created_at: number('Epoch seconds.'),
  for_webhook: flag('Created for an incoming webhook.'),
});
export type ServiceAccountAnswer = TypeOf<typeof serviceAccountAnswer>;

export const organizationAnswer = component('Organization', {
  name: text(),
  kind: oneOf(['shared', 'personal'], 'A shared one has members, a personal one belongs to one user.'),
  experimental_features_enabled: flag('Always false: the service has none.'),
  created_at: number('Epoch seconds.'),
  last_modified_at: number('Epoch seconds. An organization does not change: when it was created.'),
});
export type OrganizationAnswer = TypeOf<typeof organizationAnswer>;

export const apiKeyAnswer = component('ApiKey', {
  id: text(),
  description: text(),
  created_at: number('Epoch seconds.'),
  expires_at: integer('Epoch seconds; 0: never.'),
  last_used_at: number('Epoch seconds, up to some minutes late; 0: never.'),
});
export type ApiKeyAnswer = TypeOf<typeof apiKeyAnswer>;

const newKeyFields = {
  id: text(),
  key: text('The key; it is shown once.'),
  description: text(),
  created_at: number('Epoch seconds.'),
  expires_at: integer('Epoch seconds; 0: never.'),
};
export const newApiKey = component('NewApiKey', newKeyFields);
export type NewApiKey = TypeOf<typeof newApiKey>;

export const rotatedApiKey = component('RotatedApiKey', {
  ...newKeyFields,
  grace_period_expires_at: number('When the old key expires, in epoch seconds.'),
});
export type RotatedApiKey = TypeOf<typeof rotatedApiKey>;

export const memberAnswer = component('Member', { user: text('Name of the user.'), email: text(), role: oneOf(ROLES) });
export type MemberAnswer = TypeOf<typeof memberAnswer>;

const invitation = {
  id: text(),
  email: text(),
  role: oneOf(ROLES, 'The role of the future member.'),
  user: nullable(text('The suggested user name.')),
  invited_by: text(),
  created_at: number('Epoch seconds.'),
  expires_at: number('Epoch seconds.'),
};
export const invitationAnswer = component('Invitation', invitation);
export type InvitationAnswer = TypeOf<typeof invitationAnswer>;

export const newInvitation = component('NewInvitation', {
  ...invitation,
  token: text('For the invited person only. It is shown once and works once.'),
});
export type NewInvitation = TypeOf<typeof newInvitation>;

export const memberPut = component('MemberPut', {
  user: text(),
  role: oneOf(ROLES),
  invitation: nullable(newInvitation),
});
export type MemberPut = TypeOf<typeof memberPut>;

const membershipFields = {
  organization: text('Name of the organization.'),
  user: text('Name of the user.'),
  role: oneOf(ROLES),
};
export const joinedAnswer = component('Joined', membershipFields);

export const welcomeAnswer = component('Welcome', {
  ...membershipFields,
  api_key: text('The first key of the new user; it is shown once.'),
});
export type WelcomeAnswer = TypeOf<typeof welcomeAnswer>;

/** Specification 2.5. */
export const membershipEvent = component('MembershipEvent', {
  id: text(),
  type: oneOf(['added', 'changed', 'removed']),
  user: text('The affected user.'),
  changed_by: text('The actor.'),
  role: text('The new role; empty for a removed member.'),
  previous_role: text('Empty for an added member.'),
  source: oneOf(SOURCES),
  created_at: number('Epoch seconds.'),
});
export type MembershipEventAnswer = TypeOf<typeof membershipEvent>;

/** Specification 2.4. */
export const membershipPage = component('MembershipPage', {
  ...pageFields,
  _links: nullable(pageLinks),
  events: list(membershipEvent),
});
export type MembershipPage = TypeOf<typeof membershipPage>;
