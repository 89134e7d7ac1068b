import { claimsOf, wrongClaim } from './id-token';
import type { Claims } from './person';

const begunAt = 1_800_000_000_000;
const now = begunAt + 20_000;
const right = { aud: 'assurance', iat: now / 1_000 };
const check = (claims: object) => wrongClaim({ ...right, ...claims }, { clientId: 'assurance', begunAt, now });

describe('an ID token', () => {
  it.each<[string, object]>([
    ['one audience', {}],
    ['one audience in a list', { aud: ['assurance'] }],
    ['one audience and this client', { azp: 'assurance' }],
    ['several audiences and this client', { aud: ['assurance', 'other'], azp: 'assurance' }],
    ['a clock that is behind', { iat: begunAt / 1_000 - 299 }],
    ['a clock that is ahead', { iat: now / 1_000 + 299 }],
  ])('with %s is taken', (_, claims) => {
    expect(check(claims)).toBeNull();
  });

  it.each<[string, object, string]>([
    ['another client', { azp: 'other' }, 'azp'],
    ['no client by name', { azp: null }, 'azp'],
    ['several audiences and no client', { aud: ['assurance', 'other'] }, 'azp'],
    ['several audiences and another client', { aud: ['assurance', 'other'], azp: 'other' }, 'azp'],
    ['a time before the sign-in began', { iat: begunAt / 1_000 - 301 }, 'iat'],
    ['a time in the future', { iat: now / 1_000 + 301 }, 'iat'],
    ['a time in milliseconds', { iat: now }, 'iat'],
    ['a time that is a text', { iat: String(now / 1_000) }, 'iat'],
    ['no time', { iat: undefined }, 'iat'],
  ])('with %s is refused', (_, claims, wrong) => {
    expect(check(claims)).toBe(wrong);
  });
});

describe('the address of a person', () => {
  const info = { name: 'Ada', email: 'info@example.com', email_verified: true };

  it.each<[string, Claims, Claims, Claims]>([
    [
      'the ID token alone',
      { email: 'a@b.example', email_verified: true },
      {},
      { email: 'a@b.example', email_verified: true },
    ],
    ['the user info alone', {}, info, { email: 'info@example.com', email_verified: true }],
    [
      'the ID token of both',
      { email: 'a@b.example', email_verified: false },
      info,
      { email: 'a@b.example', email_verified: false },
    ],
    ['an ID token that does not say that it is verified', { email: 'a@b.example' }, info, { email: 'a@b.example' }],
    [
      'user info that does not say that it is verified',
      { email_verified: true },
      { email: 'info@example.com' },
      { email: 'info@example.com' },
    ],
    ['no source', { email_verified: true }, {}, {}],
    [
      'an ID token beside user info that says that its own domain is verified',
      { email: 'a@b.example' },
      { ...info, xms_edov: true },
      { email: 'a@b.example' },
    ],
    [
      'an ID token with the mark of Entra',
      { email: 'a@b.example', xms_edov: 1 },
      info,
      { email: 'a@b.example', xms_edov: 1 },
    ],
  ])('comes with its mark from %s', (_, token, userInfo, address) => {
    const { email, email_verified, xms_edov } = claimsOf({ sub: '1', ...token }, userInfo) as Record<string, unknown>;
    expect({ email, email_verified, xms_edov }).toEqual(address);
  });

  it('does not keep other claims from being joined, of which those of the ID token count', () => {
    expect(claimsOf({ sub: '1', name: 'Token' }, { sub: '2', name: 'Info', groups: ['a'] })).toMatchObject({
      sub: '1',
      name: 'Token',
      groups: ['a'],
    });
  });
});
