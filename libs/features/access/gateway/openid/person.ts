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

/**
 * The person who signed in, and the roles that their groups give.
 *
 * @param claims from a checked ID token and from the provider's user info
 * @returns a refusal if persons with this address may not sign in
 */
export function personOf(
  claims: Claims & { readonly iss: string; readonly sub: string },
  { emailDomains, groupsClaim, roles }: Pick<OpenIdConnect, 'emailDomains' | 'groupsClaim' | 'roles'>,
): Result<ProvedSignInInput, 'email'> {
  const email = verifiedEmail(claims);
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (emailDomains.length > 0 && !emailDomains.includes(domain)) return err('email');
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
  });
}

/** The address that the provider verified; empty if there is none. */
function verifiedEmail({ email, email_verified: verified }: Claims): string {
  const right = typeof email === 'string' && email.length <= EMAIL_MAX && /^[^\s@]+@[^\s@]+$/.test(email);
  // Some providers send a string.
  return right && (verified === true || verified === 'true') ? email : '';
}

/** The texts of a claim that lists groups or names one group. */
function texts(claim: unknown): readonly string[] {
  const all: unknown[] = Array.isArray(claim) ? claim.slice(0, GROUPS_MAX) : [claim];
  return all.filter((item) => typeof item === 'string');
}
