import type {
  ExternalIdentityAttached,
  ExternalIdentityDetached,
  ExternalIdentityLinked,
} from '@assurance/contracts/access/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { accepted, type Decision, noChange, refused, trimBoth } from '@assurance/kernel';
import type { ExternalIdentity } from './external-identity';

/** What the provider says about a person. */
type IdentityClaims = Pick<ExternalIdentity, 'issuer' | 'subject' | 'email'>;
/** The user who has an identity. */
interface Owner {
  readonly user: string;
  readonly userName: string;
}

/**
 * Creates a user for a person who signs in at a provider for the first time. The identity belongs to this user until the user detaches it, even if
 * the provider reports another name or address later.
 *
 * @param facts.user id of the new user, which already holds the name
 */
export function decideLinkIdentity(
  state: ExternalIdentity | null,
  claims: IdentityClaims,
  { user, userName }: Owner,
): Decision<ExternalIdentityLinked, never> {
  if (state !== null && state.user !== null) return noChange;
  return accepted({ type: 'ExternalIdentityLinked', version: 1, data: { ...claims, user, userName } });
}

/** Lets a signed-in user also sign in with an identity that no user has yet. */
export function decideAttachIdentity(
  state: ExternalIdentity | null,
  claims: IdentityClaims,
  { user, userName }: Owner,
): Decision<ExternalIdentityAttached, FeatureRefusal<'identity-taken'>> {
  if (state?.user === user) return noChange;
  if (state !== null && state.user !== null) return refused({ kind: 'identity-taken' });
  return accepted({ type: 'ExternalIdentityAttached', version: 1, data: { ...claims, user, userName } });
}

/**
 * Detaches an identity from a user, who can no longer sign in with it.
 *
 * @param facts.otherWays whether the user has another way to sign in
 */
export function decideDetachIdentity(
  state: ExternalIdentity | null,
  { user }: Pick<Owner, 'user'>,
  { otherWays }: { readonly otherWays: boolean },
): Decision<ExternalIdentityDetached, FeatureRefusal<'identity-unknown' | 'identity-last'>> {
  if (state === null || state.user !== user) return refused({ kind: 'identity-unknown' });
  if (!otherWays) return refused({ kind: 'identity-last' });
  return accepted({ type: 'ExternalIdentityDetached', version: 1, data: { user } });
}

/** The most characters of a user name that `namesFor` derives. */
const NAME_MAX = 60;

/**
 * The names to try for a new user, in order. They derive from the name of the provider, reduced to the characters that names allow.
 *
 * @param preferredName a user name or an address; anything else is fine
 * @param id of the user; it makes the last name unique
 */
export function namesFor(preferredName: string, id: string): string[] {
  const asciiName = preferredName
    .replace(/@.*$/s, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9._-]+/g, '-');
  const plainName = trimBoth(asciiName, /[^a-zA-Z0-9]/).slice(0, NAME_MAX);
  const name = plainName === '' ? 'user' : plainName;
  return [name, ...[2, 3, 4, 5, 6, 7, 8, 9].map((i) => `${name}-${i}`), `${name}-${id.replace(/-/g, '')}`];
}
