import { NO_ORGANIZATION, type Role as Privilege, streams } from '@assurance/contracts-events';
import type { Clock, Identify, Identity, Knock, Unidentified } from '@assurance/http';
import { forgetOldest, no, ok, type Result, sha256 } from '@assurance/kernel';
import { apiKeys, type KeyDocument, membership, organization, serviceAccount } from '@assurance/model-access';
import { holderOf } from '@assurance/readers-names';
import type { Documents } from '@assurance/storage-ports';
import { apiKeyOf } from './api-key';
import { identifyByInvitation } from './identify-by-invitation';
import { Recent } from './recent';
import type { WrongKeys } from './wrong-keys';

/** How long a revoked key, a removed member or a changed role may still work, in milliseconds. */
export const REVOCATION_MS = 1_000;
/** How long a key that was not found is not looked up again: the longest that the first use of a new key can be late, in milliseconds. */
export const UNKNOWN_MS = 1_000;
/** How many keys and organizations are remembered for these times. */
const REMEMBERED_MAX = 10_000;
/** How many keys are known to have been valid: they are looked up whatever else comes from their address. */
const PROVEN_MAX = 100_000;

const NAME_MAX = 256;

interface Known {
  readonly identity: Identity;
  /** Epoch seconds; 0 means never. */
  readonly expiresAt: number;
}

/**
 * The guard of a process that has the gateway: API keys, looked up by their SHA-256, so that how long a look-up takes tells nothing of a key.
 * What was found is remembered for `REVOCATION_MS`, a key that was not found for `UNKNOWN_MS`. That somebody is no member is never
 * remembered: a membership works from the moment in which its making was answered, and so does a key that nobody tried before.
 *
 * An address that sent too many wrong keys is refused without a look-up, but for keys that were valid before: one caller cannot lock out
 * others behind the same address.
 *
 * @param used told of each key that opened the door, by its SHA-256
 */
export function identifyByKey(
  documents: Documents,
  clock: Pick<Clock, 'now' | 'steady'>,
  wrongKeys: Pick<WrongKeys, 'waits' | 'note'>,
  used: (hash: string) => void = () => undefined,
): (knock: Pick<Knock, 'authorization' | 'org' | 'route' | 'address'>) => ReturnType<Identify> {
  const keys = documents.collection(apiKeys);
  const memberships = documents.collection(membership.heads);
  const accounts = documents.collection(serviceAccount.heads);
  const organizations = documents.collection(organization.heads);
  const recent = new Recent<Known>(REVOCATION_MS, REMEMBERED_MAX);
  const unknown = new Recent<true>(UNKNOWN_MS, REMEMBERED_MAX);
  const proven = new Map<string, true>();
  const underWay = new Map<string, Promise<KeyDocument | null>>();

  /** The key of a hash: requests at the same moment look it up once. */
  function keyOf(hash: string): Promise<KeyDocument | null> {
    const looking = underWay.get(hash) ?? keys.get(hash).finally(() => underWay.delete(hash));
    underWay.set(hash, looking);
    return looking;
  }

  async function roleOf(key: KeyDocument, org: string): Promise<Privilege | null> {
    if (key.kind === 'user') return (await memberships.get(streams.membership(org, key.principal)))?.role ?? null;
    if (key.org !== org) return null;
    const account = await accounts.get(streams.serviceAccount(key.principal));
    return account?.org === org && !account.deleted ? account.privilege : null;
  }

  /** An organization by its name; without one the caller's own: the only one of a service account, the personal one of a user. */
  async function placeOf(key: KeyDocument, org: string | null): Promise<Identity['org'] | null> {
    if (org === null) {
      const own = await organizations.get(streams.organization(key.org ?? key.principal));
      return own === null ? null : { id: own.id, name: own.name };
    }
    // No organization has such a name, and no engine needs to take such an id.
    if (org.length > NAME_MAX) return null;
    const id = await holderOf(documents, NO_ORGANIZATION, 'account', org);
    return id === null ? null : { id, name: org };
  }

  async function found(hash: string, org: string | null): Promise<Result<Known, 'unauthenticated' | 'forbidden'>> {
    const key = await keyOf(hash);
    if (key === null || expired(key.expiresAt, clock)) return no('unauthenticated');
    const place = await placeOf(key, org);
    const role = place === null ? null : await roleOf(key, place.id);
    if (place === null || role === null) return no('forbidden');
    const principal = { id: key.principal, kind: key.kind, name: key.name, role };
    return ok({ identity: { org: place, principal, key: hash }, expiresAt: key.expiresAt });
  }

  function refused(address: string, hash: string): Result<never, Unidentified> {
    const seconds = wrongKeys.waits(address);
    wrongKeys.note(address, true);
    return no(seconds === null || proven.has(hash) ? 'unauthenticated' : { kind: 'too-many-wrong-keys', seconds });
  }

  return async ({ authorization, org, address, route }) => {
    const key = apiKeyOf(authorization);
    if (key === null) {
      wrongKeys.note(address, false);
      return no('unauthenticated');
    }
    const hash = sha256(key);
    if (route.permission === 'invitation') {
      if (wrongKeys.waits(address) !== null) return refused(address, hash);
      const invited = await identifyByInvitation(documents, clock, hash);
      return invited === null ? refused(address, hash) : ok(invited);
    }
    const entry = org === null ? hash : `${hash} ${org}`;
    const known = recent.get(entry, clock.steady());
    if (known !== undefined && !expired(known.expiresAt, clock)) {
      used(hash);
      return ok(known.identity);
    }
    if (unknown.get(hash, clock.steady()) === true) return refused(address, hash);
    if (!proven.has(hash) && wrongKeys.waits(address) !== null) return refused(address, hash);
    // The age counts from before the look-up: what it reads may be changed while it reads.
    const asked = clock.steady();
    const result = await found(hash, org);
    if (!result.ok && result.refusal === 'unauthenticated') {
      unknown.set(hash, true, asked);
      return refused(address, hash);
    }
    proven.set(hash, true);
    forgetOldest(proven, PROVEN_MAX);
    if (!result.ok) return result;
    recent.set(entry, result.value, asked);
    used(hash);
    return ok(result.value.identity);
  };
}

function expired(expiresAt: number, clock: Pick<Clock, 'now'>): boolean {
  return expiresAt !== 0 && clock.now() >= expiresAt * 1_000;
}
