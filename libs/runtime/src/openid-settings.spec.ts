import { readConfig } from './config';

const GIVEN = { ASSURANCE_OPENID_ISSUER: 'https://login.example.com/main', ASSURANCE_OPENID_CLIENT_ID: 'assurance' };

function provider(env: Record<string, string>) {
  const read = readConfig(env, () => 'from a file\n');
  return read.ok ? read.value.config.openIdConnect : read.refusal;
}

describe('the settings of an OpenID Connect provider', () => {
  it('are none unless given', () => {
    expect(provider({})).toBeNull();
  });

  it('have defaults', () => {
    expect(provider(GIVEN)).toEqual({
      issuer: 'https://login.example.com/main',
      clientId: 'assurance',
      clientSecret: null,
      clientAuthentication: 'basic',
      name: 'login.example.com',
      scopes: 'openid profile email',
      emailDomains: [],
      trustsEmails: false,
      groupsClaim: 'groups',
      roles: [],
    });
  });

  it('take a secret of a file, domains in any case, and roles by organization', () => {
    const more = {
      ASSURANCE_OPENID_CLIENT_SECRET_FILE: '/run/secret',
      ASSURANCE_OPENID_EMAIL_DOMAINS: 'Example.com, example.org',
      ASSURANCE_OPENID_TRUST_EMAILS: 'on',
      ASSURANCE_OPENID_ROLES: '{"acme": {"admin": ["CN=ops,OU=x"], "reader": ["*"]}}',
    };
    expect(provider({ ...GIVEN, ...more })).toMatchObject({
      clientSecret: 'from a file',
      emailDomains: ['example.com', 'example.org'],
      trustsEmails: true,
      roles: [
        { organization: 'acme', role: 'admin', groups: ['CN=ops,OU=x'] },
        { organization: 'acme', role: 'reader', groups: ['*'] },
      ],
    });
  });

  it('take http for a provider on this machine', () => {
    const ASSURANCE_OPENID_ISSUER = 'http://127.0.0.1:4000';
    expect(provider({ ...GIVEN, ASSURANCE_OPENID_ISSUER })).toMatchObject({ issuer: ASSURANCE_OPENID_ISSUER });
  });

  it.each([
    ['ASSURANCE_OPENID_ISSUER', 'http://login.example.com'],
    ['ASSURANCE_OPENID_ISSUER', 'https://ada:hush@login.example.com'],
    ['ASSURANCE_OPENID_ISSUER', 'login.example.com'],
    ['ASSURANCE_OPENID_SCOPES', 'profile email'],
    ['ASSURANCE_OPENID_CLIENT_AUTHENTICATION', 'none'],
    ['ASSURANCE_OPENID_EMAIL_DOMAINS', 'example.com,@example.org'],
    ['ASSURANCE_OPENID_TRUST_EMAILS', 'yes'],
    ['ASSURANCE_OPENID_ROLES', 'acme'],
    ['ASSURANCE_OPENID_ROLES', '["acme"]'],
    ['ASSURANCE_OPENID_ROLES', '{"acme": ["admin"]}'],
    ['ASSURANCE_OPENID_ROLES', '{"acme": {"owner": ["ops"]}}'],
    ['ASSURANCE_OPENID_ROLES', '{"acme": {"admin": "ops"}}'],
    ['ASSURANCE_OPENID_ROLES', '{"acme": {"admin": [""]}}'],
  ])('refuse %s=%s, by name', (name, value) => {
    expect(provider({ ...GIVEN, [name]: value })).toMatch(new RegExp(`^${name} is `));
  });

  it('name what is missing', () => {
    const { ASSURANCE_OPENID_ISSUER, ASSURANCE_OPENID_CLIENT_ID } = GIVEN;
    expect(provider({ ASSURANCE_OPENID_ISSUER })).toContain('ASSURANCE_OPENID_CLIENT_ID is not');
    expect(provider({ ASSURANCE_OPENID_CLIENT_ID })).toContain('ASSURANCE_OPENID_ISSUER is not');
  });
});
