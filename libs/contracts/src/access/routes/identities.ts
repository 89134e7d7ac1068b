import { gives, ok } from '../../http/answers/common';
import { reads, route, writes } from '../../http/route';
import { NO_PERSON } from '../../http/routes/unknown';
import { list, object, text } from '../../http/shape';
import { identityAnswer } from '../answers/session';
import { AttachIdentityInput } from '../bodies/access';

const tag = 'Users';
const IDENTITIES = '/api/v2/user/identities';
const example = {
  id: 'c0ffee00'.repeat(8),
  issuer: 'https://login.example.com',
  subject: '248289761001',
  email: 'ada@example.com',
};

/** The identities of the OpenID Connect provider with which the caller can sign in. */
export const identityRoutes = {
  listIdentities: route('GET', IDENTITIES, {
    ...reads(tag, 'self'),
    summary: "List the caller's identities at the provider",
    description: 'Of a user: those by which the user signs in.',
    answers: gives('All.', list(identityAnswer), [example]),
    errors: { 403: [NO_PERSON] },
  }),
  attachIdentity: route('POST', IDENTITIES, {
    owner: 'gateway',
    permission: 'self',
    tag,
    summary: 'Begin to attach an identity of the provider',
    description:
      'For pages: it needs the session of a user and a cookie that comes with the answer. The page then goes to `location`; the provider asks the person to sign in and sends the browser back, which ends at `return_to`. Where it came to nothing, `problem` and `request` are added to that address.',
    body: { kind: 'json', shape: AttachIdentityInput, example: { return_to: '/acme/settings/sign-in' } },
    answers: gives(
      'Where to go.',
      object({ location: text() }),
      { location: 'https://login.example.com/auth?client_id=assurance' },
      200,
      'Set-Cookie',
    ),
    errors: { 403: [NO_PERSON], 404: ['There is no provider to sign in at'] },
  }),
  detachIdentity: route('DELETE', `${IDENTITIES}/{id}`, {
    ...writes(tag, 'self'),
    summary: 'Detach an identity of the provider',
    description:
      'The caller no longer signs in by it. With the last one go the roles that groups gave. Sessions and keys stay. The last way to sign in cannot be detached.',
    paths: { id: 'Id of the identity.' },
    answers: ok('It is detached.'),
    errors: {
      400: ['You could not sign in any more. Make an API key first, and keep it'],
      403: [NO_PERSON],
      404: ['You do not sign in by this identity'],
    },
  }),
} as const;
