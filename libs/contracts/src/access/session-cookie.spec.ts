import { sessionCookie } from './session-cookie';

describe('the cookie of a session', () => {
  it.each([
    ['https://assurance.example', { name: '__Host-assurance_session', path: '/', secure: true }],
    ['https://example.com/assurance', { name: '__Secure-assurance_session', path: '/assurance', secure: true }],
    ['http://localhost:8001', { name: 'assurance_session', path: '/', secure: false }],
    ['http://intranet/assurance', { name: 'assurance_session', path: '/assurance', secure: false }],
  ])('of %s', (publicUrl, cookie) => {
    expect(sessionCookie(publicUrl)).toEqual(cookie);
  });
});
