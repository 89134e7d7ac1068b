import type { Claims } from './person';

/** How far the clocks of the provider and of this service may differ (seconds). */
const SKEW_S = 300;

/**
 * Checks the claims of an ID token that the library does not check: for which client it was issued, and when (OpenID Connect Core 1.0, 3.1.3.7).
 *
 * @param begunAt when this sign-in began: integer milliseconds, like `now`
 * @returns the name of the claim that is wrong; null if there is none
 */
export function wrongClaim(
  { aud, azp, iat }: Claims,
  { clientId, begunAt, now }: { readonly clientId: string; readonly begunAt: number; readonly now: number },
): 'azp' | 'iat' | null {
  const several = Array.isArray(aud) && aud.length > 1;
  if ((several || azp !== undefined) && azp !== clientId) return 'azp';
  if (typeof iat !== 'number' || !Number.isFinite(iat)) return 'iat';
  const isIssuedMeanwhile = iat >= begunAt / 1_000 - SKEW_S && iat <= now / 1_000 + SKEW_S;
  return isIssuedMeanwhile ? null : 'iat';
}

/**
 * Combines the claims of an ID token with those of the provider's user info. The address and its marks `email_verified` and `xms_edov` come from the
 * same source, because a mark is about the address of its own source. This source is the ID token if it has an address, otherwise the user info.
 */
export function claimsOf<Token extends Claims>(token: Token, userInfo: Claims): Token {
  const { email, email_verified, xms_edov } = token['email'] === undefined ? userInfo : token;
  return { ...userInfo, ...token, email, email_verified, xms_edov };
}
