import type { OpenIdConnect } from '@assurance/event-sourcing/tokens';
import { personOf } from './person';

const settings: Pick<OpenIdConnect, 'emailDomains' | 'groupsClaim' | 'roles'> = {
  emailDomains: ['example.com'],
  groupsClaim: 'groups',
  roles: [
    { organization: 'acme', role: 'admin', groups: ['platform'] },
    { organization: 'acme', role: 'reader', groups: ['*'] },
    { organization: 'shop', role: 'auditor', groups: ['platform'] },
    { organization: 'shop', role: 'member', groups: ['CN=shop,OU=teams', 'platform'] },
  ],
};
const ada = { iss: 'https://login.example.com', sub: '1', email: 'Ada@Example.com', email_verified: true };

describe('who signs in at a provider', () => {
  it('has the roles that the groups are mapped to', () => {
    expect(personOf({ ...ada, groups: ['platform', 'unknown', 7] }, settings)).toEqual({
      ok: true,
      value: {
        issuer: ada.iss,
        subject: '1',
        name: 'Ada@Example.com',
        email: 'Ada@Example.com',
        admin: ['acme'],
        member: ['shop'],
        snapshotter: [],
        auditor: ['shop'],
        reader: ['acme'],
      },
    });
    expect(personOf({ ...ada, groups: 'CN=shop,OU=teams' }, settings)).toMatchObject({ value: { member: ['shop'] } });
  });

  it.each([
    ['no groups', {}],
    ['groups of another form', { groups: { platform: true } }],
    ['a group that is called like everybody', { groups: ['*'] }],
  ])('with %s has what everybody has', (_, claims) => {
    expect(personOf({ ...ada, ...claims }, settings)).toMatchObject({ value: { admin: [], reader: ['acme'] } });
  });

  it.each([
    ['an address that nobody verified', { email_verified: false }],
    ['an address of which nothing is said', { email_verified: undefined }],
    ['an address of another domain', { email: 'ada@example.org' }],
    ['an address of a domain below', { email: 'ada@evil.example.com' }],
    ['an address that ends alike', { email: 'ada@notexample.com' }],
    ['an address with two signs', { email: 'ada@evil.org@example.com' }],
    ['no address', { email: undefined }],
  ])('with %s is refused where domains are named', (_, claims) => {
    expect(personOf({ ...ada, ...claims }, settings)).toEqual({ ok: false, refusal: 'email' });
  });

  it('has no address but a verified one, where all may sign in', () => {
    const all = { ...settings, emailDomains: [] };
    expect(personOf({ ...ada, email_verified: false, preferred_username: 'ada' }, all)).toMatchObject({
      value: { email: '', name: 'ada' },
    });
    expect(personOf({ ...ada, email_verified: 'true' }, all)).toMatchObject({ value: { email: ada.email } });
  });
});
