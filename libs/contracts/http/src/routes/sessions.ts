import { okAnswer, sessionAnswer, signInAnswer } from '../answers';
import { route } from '../route';

const tag = 'Sessions';
const SESSION = '/api/v2/session';
const shown = {
  principal: { id: '018bcfe5-6800-7000-8000-000000000001', name: 'ada', kind: 'user' },
  organizations: [{ name: 'acme', role: 'admin', personal: false }],
  default_organization: 'acme',
  session: { started_at: 1700000000, idle_expires_at: 1700028800, expires_at: 1700604800 },
};

/** How a browser keeps who is signed in. */
export const sessionRoutes = {
  getSignIn: route({
    id: 'getSignIn',
    method: 'GET',
    path: '/api/v2/sign-in',
    owner: 'gateway',
    permission: 'public',
    tag,
    summary: 'How one can sign in',
    description: 'What this installation is configured for. No key is needed.',
    answers: {
      200: { description: 'The ways.', shape: signInAnswer, example: { api_key: true, openid_connect: null } },
    },
  }),
  createSession: route({
    id: 'createSession',
    method: 'POST',
    path: SESSION,
    owner: 'gateway',
    permission: 'self',
    tag,
    summary: 'Exchange an API key for a session',
    description:
      'The key comes as with every request; the session comes as a cookie that scripts cannot read. It ends when it was not used for a while, after some days whatever happens, with the key, and when it is ended. Requests that change something and come with the cookie need the header `X-Assurance-Page: 1`, from a page of this service.',
    answers: {
      201: { description: 'It began.', shape: sessionAnswer, example: shown, headers: ['Set-Cookie'] },
    },
    errors: { 403: ['A session is begun with an API key'] },
    texts: { forbidden: 'A session is begun with an API key' },
  }),
  getSession: route({
    id: 'getSession',
    method: 'GET',
    path: SESSION,
    owner: 'gateway',
    permission: 'self',
    tag,
    summary: 'Who calls',
    description: 'The caller, the organizations that they belong to and their session; null for who calls with a key.',
    answers: { 200: { description: 'The caller.', shape: sessionAnswer, example: shown } },
  }),
  deleteSession: route({
    id: 'deleteSession',
    method: 'DELETE',
    path: SESSION,
    owner: 'gateway',
    permission: 'self',
    tag,
    summary: 'Sign out',
    description: 'Ends the session that the request came with, at every gateway within a second.',
    answers: { 200: { description: 'It ended.', shape: okAnswer, example: 'OK', headers: ['Set-Cookie'] } },
  }),
  deleteSessions: route({
    id: 'deleteSessions',
    method: 'DELETE',
    path: '/api/v2/sessions',
    owner: 'gateway',
    permission: 'self',
    tag,
    summary: 'Sign out everywhere',
    description: "Ends all of the caller's sessions, in every browser, at every gateway within a second. Keys stay.",
    answers: { 200: { description: 'They ended.', shape: okAnswer, example: 'OK', headers: ['Set-Cookie'] } },
  }),
} as const;
