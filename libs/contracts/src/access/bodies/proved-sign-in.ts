import { body } from '../../http/bodies/body';
import { Doc, Optional, Text, TextList } from '../../http/bodies/rules';
import { ACCOUNT_NAME_MAX } from './access';

const ORGANIZATIONS_MAX = 1_000;
const CLAIM_MAX = 2_048;

const Organizations = () => TextList({ max: ORGANIZATIONS_MAX, characters: ACCOUNT_NAME_MAX });

/** A person whom an OpenID Connect provider authenticated, as reported by the gateway. */
export const ProvedSignInInput = body('ProvedSignInInput', {
  issuer: [Doc('The provider.', 'https://login.example.com'), Text({ min: 1, max: CLAIM_MAX })],
  subject: [Doc("The provider's own name for the person.", '248289761001'), Text({ min: 1, max: CLAIM_MAX })],
  name: [
    Doc('A user name to begin with, made of what the provider says; others are tried where it is taken.', 'ada'),
    Text({ max: CLAIM_MAX }),
  ],
  email: [Doc('The address that the provider verified; empty without one.', 'ada@example.com'), Text({ max: 320 })],
  admin: [Doc('Organizations in which the groups of the person give each role.', ['acme']), Organizations()],
  member: [Doc('As `admin`.', []), Organizations()],
  snapshotter: [Doc('As `admin`.', []), Organizations()],
  auditor: [Doc('As `admin`.', []), Organizations()],
  reader: [Doc('As `admin`.', []), Organizations()],
  attach_to: [
    Doc('Id of the user who attaches the identity; absent for signing in.'),
    Optional(Text({ min: 1, max: 100 })),
  ],
});
export type ProvedSignInInput = InstanceType<typeof ProvedSignInInput>;
