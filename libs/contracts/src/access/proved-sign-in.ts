import { route } from '../http/route';
import { object, text } from '../http/shape';
import { ProvedSignInInput } from './bodies/proved-sign-in';

/**
 * The gateway reports to ingestion who signed in at the OpenID Connect provider. The route is not part of the API, so it is not in the route table.
 */
export const provedSignIn = route('POST', '/api/v2/sign-in/openid/proved', {
  id: 'provedSignIn',
  owner: 'ingestion',
  permission: 'gateway',
  tag: 'Sessions',
  summary: 'Record a sign-in at the provider',
  description: 'Makes a user of who signs in for the first time, and gives the roles that groups are mapped to.',
  body: {
    kind: 'json',
    shape: ProvedSignInInput,
    example: {
      issuer: 'https://login.example.com',
      subject: '248289761001',
      name: 'ada',
      email: 'ada@example.com',
      admin: [],
      member: ['acme'],
      snapshotter: [],
      auditor: [],
      reader: [],
    },
  },
  answers: {
    200: {
      description: 'Who it is.',
      shape: object({ id: text(), name: text() }),
      example: { id: '018bcfe5-6800-7000-8000-000000000001', name: 'ada' },
    },
  },
  errors: { 403: ['The user was removed'], 409: ['Another user signs in by this identity'] },
  texts: { forbidden: 'The user was removed' },
});
