import { streams } from '@assurance/contracts/events/streams';
import type { Clock } from '@assurance/event-sourcing/tokens';
import type { AuthenticationAttempt, Identify, Identity, AuthenticationFailure } from '@assurance/http';
import { forgetOldest, err, ok, type Result, sha256 } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { invitation, invitationTokens, isUsable } from '../domain/invitation';
import { organization, organizationHolder } from '../domain/organization';
import { apiKeyOf } from './api-key';
import { Identities } from './identities';
import { ExpiringCache } from './expiring-cache';
import type { InvalidKeyCounter } from './wrong-keys';

/** An unknown key is not looked up again for this time (milliseconds). A new key that was tried too early starts to work after it. */
export const UNKNOWN_MS = 1_000;
/** The most unknown keys that are cached for this time. */
const UNKNOWN_MAX = 10_000;
/** How many valid keys are cached. They are looked up even if their address sent too many wrong keys. */
const PROVEN_MAX = 100_000;

/**
 * The guard of a process with the gateway. It looks up API keys by their SHA-256, so that the time of a look-up reveals nothing about a key.
 * An unknown key is cached for `UNKNOWN_MS`. A new key works as soon as the answer with it was sent, unless somebody tried it before.
 *
 * An address that sent too many wrong keys is refused without a look-up, except for keys that were valid before. So one caller cannot lock
 * out others behind the same address.
 *
 * @param noteUse is called with the SHA-256 of each accepted key
 */
export function identifyByKey(
  documents: Documents,
  clock: Pick<Clock, 'now' | 'steady'>,
  wrongKeys: Pick<InvalidKeyCounter, 'secondsToWait' | 'note'>,
  noteUse: (hash: string) => void = () => undefined,
  identities = new Identities(documents, clock),
): (attempt: Pick<AuthenticationAttempt, 'authorization' | 'org' | 'route' | 'address'>) => ReturnType<Identify> {
  const unknownHashes = new ExpiringCache<true>(UNKNOWN_MS, UNKNOWN_MAX);
  const proven = new Map<string, true>();

  function refuse(address: string, hash: string): Result<never, AuthenticationFailure> {
    const seconds = wrongKeys.secondsToWait(address);
    wrongKeys.note(address, true);
    return err(seconds === null || proven.has(hash) ? 'unauthenticated' : { kind: 'too-many-wrong-keys', seconds });
  }

  return async ({ authorization, org, address, route }) => {
    const key = apiKeyOf(authorization);
    if (key === null) {
      wrongKeys.note(address, false);
      return err('unauthenticated');
    }
    const hash = sha256(key);
    if (route.permission === 'invitation') {
      if (wrongKeys.secondsToWait(address) !== null) return refuse(address, hash);
      const invitedIdentity = await identifyByInvitation(documents, clock, hash);
      return invitedIdentity === null ? refuse(address, hash) : ok(invitedIdentity);
    }
    const cachedIdentity = identities.getCached(hash, org);
    if (cachedIdentity !== null) {
      noteUse(hash);
      return ok(cachedIdentity);
    }
    if (unknownHashes.get(hash, clock.steady()) === true) return refuse(address, hash);
    if (!proven.has(hash) && wrongKeys.secondsToWait(address) !== null) return refuse(address, hash);
    const lookedUpAt = clock.steady();
    const result = await identities.find(hash, org);
    if (!result.ok && result.refusal === 'unauthenticated') {
      unknownHashes.set(hash, true, lookedUpAt);
      return refuse(address, hash);
    }
    proven.set(hash, true);
    forgetOldest(proven, PROVEN_MAX);
    if (result.ok) noteUse(hash);
    return result;
  };
}

/**
 * Identifies a caller by the token of an invitation that may be accepted, or was just accepted. The token allows only the route that makes a person a
 * user.
 *
 * @param hash SHA-256 of the token
 */
async function identifyByInvitation(
  documents: Documents,
  clock: Pick<Clock, 'now'>,
  hash: string,
): Promise<Identity | null> {
  const stream = (await documents.collection(invitationTokens).get(hash))?.stream;
  const open = stream === undefined ? null : await documents.collection(invitation.states).get(stream);
  if (open?.tokenHash !== hash || !isUsable(open, clock.now())) return null;
  const place = await documents.collection(organization.states).get(streams.organization(open.org));
  if (place === null) return null;
  return {
    org: { id: place.id, name: place.name },
    principal: { id: open.id, kind: 'invitation', name: open.email, role: open.role },
    holder: organizationHolder(place),
    key: hash,
  };
}
