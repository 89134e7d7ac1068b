import type { ProvedSignInInput } from '@assurance/contracts/access/bodies/proved-sign-in';
import { type Role, ROLES } from '@assurance/contracts/access/events';
import type { OpenIdConnect } from '@assurance/event-sourcing/tokens';
import { err, ok, type Result } from '@assurance/kernel';

/** The claims of a provider about a person, not yet checked. */
export type Claims = Readonly<Record<string, unknown>>;

/** The most characters of a claim that are read. */
const CLAIM_MAX = 2_048;
const EMAIL_MAX = 320;
const GROUPS_MAX = 10_000;

type PersonSettings = Pick<OpenIdConnect, 'emailDomains' | 'trustsEmails' | 'groupsClaim' | 'roles'>;

/**
 * The person who signed in, and the roles that their groups give. If the provider did not send the groups, these are the roles of everybody.
 *
 * @param claims from a checked ID token and from the provider's user info
 * @returns why persons with this address may not sign in, for the log; it does not contain the address
 */
export function personOf(
  claims: Claims & { readonly iss: string; readonly sub: string },
  { emailDomains, trustsEmails, groupsClaim, roles }: PersonSettings,
): Result<ProvedSignInInput, string> {
  const address = verifiedEmail(claims, trustsEmails);
  if (emailDomains.length > 0) {
    if (!address.ok) return address;
    const domain = address.value.slice(address.value.lastIndexOf('@') + 1).toLowerCase();
    if (!emailDomains.includes(domain)) return err('the address is of a domain that may not sign in');
  }
  const email = address.ok ? address.value : '';
  const groups = new Set(['*', ...texts(claims[groupsClaim])]);
  const organizationsOf = (role: Role) => {
    const grantedRoles = roles.filter(
      (mapping) => mapping.role === role && mapping.groups.some((group) => groups.has(group)),
    );
    return [...new Set(grantedRoles.map(({ organization }) => organization))];
  };
  const organizations = Object.fromEntries(ROLES.map((role) => [role, organizationsOf(role)])) as Record<
    Role,
    string[]
  >;
  const name = [claims['preferred_username'], email, claims['nickname'], claims['name']].find(
    (item) => typeof item === 'string' && item !== '',
  );
  return ok({
    issuer: claims.iss,
    subject: claims.sub,
    email,
    name: typeof name === 'string' ? name.slice(0, CLAIM_MAX) : '',
    ...organizations,
    ...(areGroupsUnknown(claims, groupsClaim) ? { groups_unknown: true } : {}),
  });
}

/**
 * Mapped groups that the person has only with a slash before the name. Keycloak sends full paths such as `/platform`, and a mapping has to be written
 * the same.
 */
export function groupsSentAsPaths(
  claims: Claims,
  { groupsClaim, roles }: Pick<PersonSettings, 'groupsClaim' | 'roles'>,
): string[] {
  const groups = new Set(texts(claims[groupsClaim]));
  const mapped = new Set(roles.flatMap((mapping) => mapping.groups));
  return [...mapped].filter((name) => !groups.has(name) && groups.has(`/${name}`));
}

/**
 * Whether the claim with the groups is elsewhere (OpenID Connect Core 1.0, 5.6.2). Entra ID does so for a person with more than 200 groups, and sets
 * `hasgroups` where the token has to be short. `hasgroups` says nothing about application roles.
 */
function areGroupsUnknown(claims: Claims, groupsClaim: string): boolean {
  if ((claims[groupsClaim] ?? null) !== null) return false;
  const { _claim_names: elsewhere, hasgroups } = claims;
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, groupsClaim)) return true;
  return groupsClaim === 'groups' && (hasgroups === true || hasgroups === 'true');
}

/**
 * The address that the provider verified. Where it says nothing of `email_verified`, `xms_edov` of Entra ID counts: the owner of the domain is
 * verified.
 *
 * @param trusts whether an address counts of which the provider says neither
 * @returns why there is none
 */
function verifiedEmail({ email, email_verified, xms_edov }: Claims, trusts: boolean): Result<string, string> {
  if (typeof email !== 'string' || email.length > EMAIL_MAX || !/^[^\s@]+@[^\s@]+$/.test(email))
    return err('no address in the claim email');
  // Some providers send a text.
  if ((email_verified ?? null) !== null)
    return email_verified === true || email_verified === 'true' ? ok(email) : err('email_verified is false');
  if ((xms_edov ?? null) !== null)
    return [true, 1, '1'].some((value) => value === xms_edov) ? ok(email) : err('xms_edov is false');
  return trusts ? ok(email) : err('no email_verified beside the address: see ASSURANCE_OPENID_TRUST_EMAILS');
}

/** The texts of a claim that lists groups or names one group. */
function texts(claim: unknown): readonly string[] {
  const all: unknown[] = Array.isArray(claim) ? claim.slice(0, GROUPS_MAX) : [claim];
  return all.filter((item) => typeof item === 'string');
}
