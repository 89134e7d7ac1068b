import { gives, ok } from '../../http/answers/common';
import { route } from '../../http/route';
import { sessionAnswer, signInAnswer } from '../answers/session';

const tag = 'Sessions';
const own = { owner: 'gateway', permission: 'self', tag } as const;
const SESSION = '/api/v2/session';
const exampleSession = {
  principal: { id: '018bcfe5-6800-7000-8000-000000000001', name: 'ada', kind: 'user' },
  organizations: [{ name: 'acme', role: 'admin', personal: false }],
  default_organization: 'acme',
  session: { started_at: 1700000000, idle_expires_at: 1700028800, expires_at: 1700604800 },
};

/** Sign-in and sessions of browsers. */
export const sessionRoutes = {
  getSignIn: route('GET', '/api/v2/sign-in', {
    owner: 'gateway',
    permission: 'public',
    tag,
    summary: 'List the ways to sign in',
    description: 'The configured ways of this installation. Needs no key.',
    answers: gives('The ways to sign in.', signInAnswer, { api_key: true, openid_connect: null }),
  }),
  createSession: route('POST', SESSION, {
    ...own,
    summary: 'Exchange an API key for a session',
    description:
      'Send the key as with every request. The answer sets the session as a cookie that scripts cannot read. The session ends when it is idle for too long, some days after its start, with the key, and on sign-out. Requests with the cookie that change something need the header `X-Assurance-Page: 1` from a page of this service.',
    answers: gives('The session began.', sessionAnswer, exampleSession, 201, 'Set-Cookie'),
    errors: { 403: ['A session is begun with an API key'] },
    texts: { forbidden: 'A session is begun with an API key' },
  }),
  getSession: route('GET', SESSION, {
    ...own,
    summary: 'Get the caller',
    description: 'The caller with organizations and session; the session is null for a caller with a key.',
    answers: gives('The caller.', sessionAnswer, exampleSession),
  }),
  deleteSession: route('DELETE', SESSION, {
    ...own,
    summary: 'Sign out',
    description: 'Ends the session of the request, at every gateway within a second.',
    answers: ok('The session ended.', 200, 'Set-Cookie'),
  }),
  deleteSessions: route('DELETE', '/api/v2/sessions', {
    ...own,
    summary: 'Sign out everywhere',
    description: 'Ends all sessions of the caller in every browser, at every gateway within a second. Keys stay valid.',
    answers: ok('The sessions ended.', 200, 'Set-Cookie'),
  }),
} as const;
