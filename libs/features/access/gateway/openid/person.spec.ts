import type { OpenIdConnect } from '@assurance/event-sourcing/tokens';
import { groupsSentAsPaths, personOf } from './person';

const settings: Pick<OpenIdConnect, 'emailDomains' | 'groupsClaim' | 'roles' | 'trustsEmails'> = {
  emailDomains: ['example.com'],
  trustsEmails: false,
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

  describe('whose groups the provider did not send', () => {
    const elsewhere = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph' } } };

    it.each([
      ['a claim source', elsewhere],
      ['hasgroups', { hasgroups: true }],
      ['hasgroups as a text', { hasgroups: 'true' }],
    ])('has what everybody has, and keeps the rest: %s', (_, claims) => {
      expect(personOf({ ...ada, ...claims }, settings)).toMatchObject({
        value: { groups_unknown: true, admin: [], reader: ['acme'] },
      });
    });

    it.each([
      ['no claim at all', {}, 'groups'],
      ['a source of another claim', { _claim_names: { roles: 'src1' } }, 'groups'],
      ['a source that the object does not have itself', { _claim_names: {} }, 'toString'],
      ['sources of another form', { _claim_names: 'groups' }, 'groups'],
      ['hasgroups, where another claim decides', { hasgroups: true }, 'roles'],
      ['hasgroups that is false', { hasgroups: false }, 'groups'],
      ['a source and an empty list', { ...elsewhere, hasgroups: true, groups: [] }, 'groups'],
      ['a source and a list', { ...elsewhere, groups: ['platform'] }, 'groups'],
    ])('is nobody with %s', (_, claims, groupsClaim) => {
      const person = personOf({ ...ada, ...claims }, { ...settings, groupsClaim });
      expect(person.ok && 'groups_unknown' in person.value).toBe(false);
    });
  });

  it('has groups by the path that the provider sends, as it is written', () => {
    const [mapping] = settings.roles;
    const paths = [{ organization: 'acme', role: 'admin' as const, groups: ['/platform'] }];
    const claims = { ...ada, groups: ['/platform'] };
    expect(personOf(claims, { ...settings, roles: paths })).toMatchObject({ value: { admin: ['acme'] } });
    expect(personOf(claims, settings)).toMatchObject({ value: { admin: [] } });
    expect(groupsSentAsPaths(claims, settings)).toEqual(['platform']);
    expect(groupsSentAsPaths(claims, { ...settings, roles: paths })).toEqual([]);
    expect(groupsSentAsPaths({ ...ada, groups: ['/platform', 'platform'] }, settings)).toEqual([]);
    expect(groupsSentAsPaths({ ...ada, groups: ['/a/platform'] }, { ...settings, roles: [mapping!] })).toEqual([]);
  });

  it.each([
    ['an address that nobody verified', { email_verified: false }, /email_verified is false/],
    ['an address of which nothing is said', { email_verified: undefined }, /no email_verified.*TRUST_EMAILS/],
    ['an address of another domain', { email: 'ada@example.org' }, /domain/],
    ['an address of a domain below', { email: 'ada@evil.example.com' }, /domain/],
    ['an address that ends alike', { email: 'ada@notexample.com' }, /domain/],
    ['an address with two signs', { email: 'ada@evil.org@example.com' }, /no address/],
    ['no address', { email: undefined }, /no address/],
  ])('with %s is refused where domains are named, and the reason names no address', (_, claims, reason) => {
    const person = personOf({ ...ada, ...claims }, settings);
    expect(person).toEqual({ ok: false, refusal: expect.stringMatching(reason) });
    expect(JSON.stringify(person)).not.toMatch(/@|evil/);
  });

  it.each([true, '1', 1])('signs in with an address whose domain Entra verified: xms_edov is %j', (xms_edov) => {
    expect(personOf({ ...ada, email_verified: undefined, xms_edov }, settings).ok).toBe(true);
    expect(personOf({ ...ada, email_verified: false, xms_edov }, settings).ok).toBe(false);
  });

  it.each([false, '0', 0, null, {}])('is not verified by xms_edov %j', (xms_edov) => {
    expect(personOf({ ...ada, email_verified: undefined, xms_edov }, settings).ok).toBe(false);
  });

  it('signs in with an address of which nothing is said, where addresses of the issuer are trusted', () => {
    const trusting = { ...settings, trustsEmails: true };
    const { email_verified: _, ...entra } = { ...ada, preferred_username: 'ada' };
    expect(personOf(entra, trusting)).toMatchObject({ value: { email: ada.email } });
    for (const claims of [{ email_verified: false }, { email_verified: 'false' }, { email: 'ada@example.org' }]) {
      expect(personOf({ ...entra, ...claims }, trusting).ok).toBe(false);
    }
    expect(personOf({ ...entra, xms_edov: false }, trusting).ok).toBe(false);
  });

  it('has no address but a verified one, where all may sign in', () => {
    const all = { ...settings, emailDomains: [] };
    expect(personOf({ ...ada, email_verified: false, preferred_username: 'ada' }, all)).toMatchObject({
      value: { email: '', name: 'ada' },
    });
    expect(personOf({ ...ada, email_verified: 'true' }, all)).toMatchObject({ value: { email: ada.email } });
  });
});
