import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Identity } from './identity';
import type { BodySeal } from './sealed-body';

/** Carries a caller's identity from the gateway to the service that answers. It is never accepted from a caller. */
export const IDENTITY_HEADER = 'x-assurance-identity';

/**
 * The largest accepted difference between the time in an identity and the receiver's clock, in both directions
 * (milliseconds). It covers the difference between two clocks and the time between sending and receiving.
 */
export const IDENTITY_VALID_MS = 30_000;
const KEY_BYTES = 32;
const PURPOSE = 'identity';

/** The request that an identity is signed for. The signature fits no other request. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query, byte for byte. */
  readonly url: string;
  readonly correlation: string;
  /** Whether a body follows. It has its own seal (`sealOf`). */
  readonly hasBody: boolean;
}

interface Claim {
  /** Integer milliseconds since 1970. */
  readonly at: number;
  /** Addresses of the addressed instance: `10.0.0.1:8001`, `[fd00::1]:8001`. Absent from gateways of the previous release. */
  readonly to?: readonly string[];
  /** The id of this one request. */
  readonly id: string;
  readonly identity: Identity;
}

/** The content of a signed header. */
export interface SignedIdentity extends Claim {
  /** The data that the seal of the request's body must match; null if there is no body. */
  readonly seal: BodySeal | null;
}

/** The key of all processes of one installation. It is derived from the secret for this purpose only (HKDF-SHA256). */
export function identityKey(secret: string): KeyObject {
  // Given bytes instead of a key object, Node 24 makes a key object for every signature, which costs five times as
  // much.
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES)));
}

/**
 * The header's value: the caller, the time, the instance and a unique id, then an HMAC-SHA256 over these and the
 * request.
 *
 * @param to see `Claim`
 * @param now milliseconds since 1970
 */
export function signIdentity(
  key: KeyObject,
  identity: Identity,
  request: SignedRequest,
  to: readonly string[],
  now: number,
): string {
  const { org, principal, holder } = identity;
  const claim: Claim = {
    at: now,
    to,
    id: nextId(),
    identity: { org, principal, ...(holder === undefined ? {} : { holder }) },
  };
  const payload = Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${payload}.${signatureOf(key, payload, request).toString('base64url')}`;
}

/** The seal that a gateway puts at the end of a body. @param digest SHA-256 of the body, hexadecimal */
export function sealOf(key: KeyObject, header: string, digest: string): Buffer {
  return createHmac('sha256', key).update(`body\n${header}\n${digest}`).digest();
}

/**
 * Reads the identity that a gateway signed. The calling code must check that the id was not used before, and that `to`
 * names this instance.
 *
 * @param keys of the present secret, and of the previous one while there is one
 * @param now milliseconds since 1970
 * @returns null unless the header was signed with one of these keys, for this request, less than 30 s ago
 */
export function verifyIdentity(
  keys: readonly KeyObject[],
  header: string,
  request: SignedRequest,
  now: number,
): SignedIdentity | null {
  const [payload = '', signature = '', ...more] = header.split('.');
  if (more.length > 0) return null;
  const signatureBytes = Buffer.from(signature, 'base64url');
  const key = keys.find((candidate) => isEqual(signatureBytes, signatureOf(candidate, payload, request)));
  if (key === undefined) return null;
  const { at, to, id, identity } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claim;
  if (Math.abs(now - at) > IDENTITY_VALID_MS) return null;
  const fits: BodySeal['fits'] = (digest, seal) => isEqual(seal, sealOf(key, header, digest));
  return { at, ...(to === undefined ? {} : { to }), id, identity, seal: request.hasBody ? { fits } : null };
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Ids of requests only need to differ, also between processes. */
const PREFIX = randomBytes(6).toString('base64url');
let ids = 0;

function nextId(): string {
  ids += 1;
  return `${PREFIX}${ids.toString(36)}`;
}

/** No part can contain a line break, so two different requests never give the same text. */
function signatureOf(key: KeyObject, payload: string, { method, url, correlation, hasBody }: SignedRequest): Buffer {
  return createHmac('sha256', key)
    .update([payload, method, url, correlation, hasBody ? 'body' : ''].join('\n'))
    .digest();
}

/**
 * An address and port in the form that identities use. An IPv4 address that an IPv6 socket shows in IPv6 form becomes
 * IPv4 again.
 */
export function socketAddress(address: string, port: number): string {
  const plainAddress = address.replace(/^::ffff:(?=\d+\.)/, '');
  return plainAddress.includes(':') ? `[${plainAddress}]:${port}` : `${plainAddress}:${port}`;
}
