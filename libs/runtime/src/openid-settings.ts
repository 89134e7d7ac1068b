import { ROLES } from '@assurance/contracts/access/events';
import type { Settings } from '@assurance/event-sourcing/tokens';
import { err, ok, type Result } from '@assurance/kernel';
import { hiddenText, loneSetting, oneOf, type ReadSetting, text, texts, url, type Variable } from './variables';

type OpenIdConnect = NonNullable<Settings['openIdConnect']>;

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

const issuer = url(
  ({ protocol, hostname, search, hash, username, password }) =>
    (protocol === 'https:' || (protocol === 'http:' && LOCAL.includes(hostname))) &&
    [search, hash, username, password].every((part) => part === ''),
  'must be the https URL of an OpenID Connect provider (http for one on this machine alone)',
);

const DOMAIN = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/;

const domains: Variable<readonly string[]> = {
  fallback: [],
  read: (input) =>
    texts([], 'must be domains of email addresses such as example.com, with commas between', (item) =>
      DOMAIN.test(item),
    ).read(input.toLowerCase()),
};

const ROLE_RULE = `must be JSON such as {"acme": {"admin": ["platform"], "reader": ["*"]}}: by organization, then by role (${ROLES.join(', ')}), names of groups; * is everybody who may sign in`;
const MAPPINGS_MAX = 1_000;

const roles: Variable<OpenIdConnect['roles']> = {
  fallback: [],
  read: (input) => {
    const mappings = mappingsOf(input);
    return mappings !== null && mappings.length <= MAPPINGS_MAX ? ok(mappings) : err(ROLE_RULE);
  },
};

function mappingsOf(input: string): OpenIdConnect['roles'] | null {
  let json: unknown;
  try {
    json = JSON.parse(input);
  } catch {
    return null;
  }
  if (!isRecord(json)) return null;
  const mappings: OpenIdConnect['roles'][number][] = [];
  for (const [organization, byRole] of Object.entries(json)) {
    if (!isRecord(byRole)) return null;
    for (const [name, groups] of Object.entries(byRole)) {
      const role = ROLES.find((candidate) => candidate === name);
      if (role === undefined || !areNames(groups)) return null;
      mappings.push({ organization, role, groups });
    }
  }
  return mappings;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function areNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');
}

const scopes: Variable<string> = {
  fallback: 'openid profile email',
  read: (input) =>
    input.split(' ').includes('openid') ? ok(input) : err('must be scopes with spaces between, openid among them'),
};

/**
 * Reads the settings for sign-in at an OpenID Connect provider.
 *
 * @returns null if no provider is configured; a refusal names the missing setting
 */
export function openIdConnect(read: ReadSetting): Result<OpenIdConnect | null, string> {
  const provider = read('ASSURANCE_OPENID_ISSUER', issuer);
  const clientId = read('ASSURANCE_OPENID_CLIENT_ID', text(null));
  const client = {
    clientSecret: read('ASSURANCE_OPENID_CLIENT_SECRET', hiddenText),
    clientAuthentication: read('ASSURANCE_OPENID_CLIENT_AUTHENTICATION', oneOf(['basic', 'post'], 'basic')),
  };
  const name = read('ASSURANCE_OPENID_NAME', text(null));
  const people = {
    scopes: read('ASSURANCE_OPENID_SCOPES', scopes),
    emailDomains: read('ASSURANCE_OPENID_EMAIL_DOMAINS', domains),
    trustsEmails: read('ASSURANCE_OPENID_TRUST_EMAILS', oneOf(['off', 'on'], 'off')) === 'on',
    groupsClaim: read('ASSURANCE_OPENID_GROUPS_CLAIM', text('groups')),
    roles: read('ASSURANCE_OPENID_ROLES', roles),
  };
  const loneName = loneSetting({ ASSURANCE_OPENID_ISSUER: provider, ASSURANCE_OPENID_CLIENT_ID: clientId });
  if (loneName !== null) return err(loneName);
  if (provider === null || clientId === null) return ok(null);
  return ok({ issuer: provider, clientId, ...client, name: name ?? new URL(provider).host, ...people });
}
