import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Identity } from './identity';

/** Carries a caller's identity from the gateway to the service that answers; never taken from a caller. */
export const IDENTITY_HEADER = 'x-assurance-identity';

/** How far apart the clocks of two processes, and the way between them, may be: milliseconds, either way. */
const VALID_MS = 30_000;
const KEY_BYTES = 32;
const PURPOSE = 'identity';

/** The request that an identity is signed for: its signature fits no other. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query, byte for byte. */
  readonly url: string;
  readonly correlation: string;
}

interface Claim {
  /** Integer milliseconds since 1970. */
  readonly at: number;
  readonly identity: Identity;
}

/** The key of all processes of one installation: made of its secret for this purpose alone (HKDF-SHA256). */
export function identityKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES));
}

/**
 * The header's value: who calls and since when that is said, then an HMAC-SHA256 over it and the request.
 *
 * @param now milliseconds since 1970
 */
export function signIdentity(key: Uint8Array, identity: Identity, request: SignedRequest, now: number): string {
  const { org, principal } = identity;
  const claim: Claim = { at: now, identity: { org, principal } };
  const said = Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${said}.${signatureOf(key, said, request).toString('base64url')}`;
}

/**
 * Who calls, as the gateway says.
 *
 * @param keys of the present secret, and of the previous one while there is one
 * @param now milliseconds since 1970
 * @returns null unless the header was signed with one of these keys, for this request, less than 30 s ago
 */
export function verifyIdentity(
  keys: readonly Uint8Array[],
  header: string,
  request: SignedRequest,
  now: number,
): Identity | null {
  const [said = '', signature = '', ...more] = header.split('.');
  if (more.length > 0) return null;
  const given = Buffer.from(signature, 'base64url');
  const right = keys.some((key) => {
    const mine = signatureOf(key, said, request);
    return given.length === mine.length && timingSafeEqual(given, mine);
  });
  if (!right) return null;
  const { at, identity } = JSON.parse(Buffer.from(said, 'base64url').toString()) as Claim;
  return Math.abs(now - at) <= VALID_MS ? identity : null;
}

/** None of the parts can hold a line break, so that no two requests make the same text. */
function signatureOf(key: Uint8Array, said: string, { method, url, correlation }: SignedRequest): Buffer {
  return createHmac('sha256', key).update([said, method, url, correlation].join('\n')).digest();
}
