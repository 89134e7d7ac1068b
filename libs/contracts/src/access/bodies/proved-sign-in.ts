import { closed, optional } from '../../http/bodies/body';
import { flag, list, text, type TypeOf } from '../../http/shape';
import { ACCOUNT_NAME_MAX } from './access';

const ORGANIZATIONS_MAX = 1_000;
const CLAIM_MAX = 2_048;

const organizations = (description: string, example: readonly string[] = []) =>
  list(text(undefined, { max: ACCOUNT_NAME_MAX }), description, { max: ORGANIZATIONS_MAX, example });

/** A person whom an OpenID Connect provider authenticated, as reported by the gateway. */
export const ProvedSignInInput = closed('ProvedSignInInput', {
  issuer: text('The provider.', { min: 1, max: CLAIM_MAX, example: 'https://login.example.com' }),
  subject: text("The provider's own name for the person.", { min: 1, max: CLAIM_MAX, example: '248289761001' }),
  name: text('A user name to begin with, made of what the provider says; others are tried where it is taken.', {
    max: CLAIM_MAX,
    example: 'ada',
  }),
  email: text('The address that the provider verified; empty without one.', { max: 320, example: 'ada@example.com' }),
  admin: organizations('Organizations in which the groups of the person give each role.', ['acme']),
  member: organizations('As `admin`.'),
  snapshotter: organizations('As `admin`.'),
  auditor: organizations('As `admin`.'),
  reader: organizations('As `admin`.'),
  groups_unknown: optional(
    flag('The provider did not send the groups: roles stay, and who has none gets those of everybody.'),
  ),
  attach_to: optional(text('Id of the user who attaches the identity; absent for signing in.', { min: 1, max: 100 })),
});
export type ProvedSignInInput = TypeOf<typeof ProvedSignInInput>;
