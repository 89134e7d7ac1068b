import type { Role as Privilege } from '@assurance/contracts/access/events';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import type { Clock } from '@assurance/event-sourcing/tokens';
import type { Identity, Session } from '@assurance/http';
import { forgetOldest, err, ok, type Result } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { apiKeys, type KeyDocument } from '../domain/keys';
import { membership } from '../domain/membership';
import { organization, organizationHolder } from '../domain/organization';
import { serviceAccount } from '../domain/service-account';
import { user } from '../domain/user';
import { holderOf } from '../lookups/named';
import { ExpiringCache } from './expiring-cache';

/**
 * How long the rights of a caller are cached (milliseconds). A revoked key, a removed member and an old role stop working within a second. The rest
 * of the second is for requests that such a caller has in progress (`Revocations`).
 */
export const CACHED_MS = 400;
/** The authenticated caller, for every method of authentication. */
type Caller = Pick<KeyDocument, 'principal' | 'kind' | 'name' | 'org' | 'expiresAt'>;

/** How many keys and organizations are cached for this time. */
const CACHED_MAX = 10_000;
const NAME_MAX = 256;

type IdentityResult = Result<Identity, 'unauthenticated' | 'forbidden'>;

interface CachedIdentity {
  readonly identity: Identity;
  /** Epoch seconds; 0 means never. */
  readonly expiresAt: number;
}

/**
 * Finds the principal and role of a key or session in an organization. A result is cached for `CACHED_MS`. The result that a caller is not a member
 * is never cached, so a membership works as soon as its creation was answered.
 */
export class Identities {
  private readonly keys;
  private readonly memberships;
  private readonly users;
  private readonly accounts;
  private readonly organizations;
  private readonly recent = new ExpiringCache<CachedIdentity>(CACHED_MS, CACHED_MAX);
  /** By the id of the organization. */
  private readonly holders = new Map<string, string>();
  private readonly finding = new Map<string, Promise<IdentityResult>>();
  private readonly underWay = new Map<string, Promise<KeyDocument | null>>();

  constructor(
    private readonly documents: Documents,
    private readonly clock: Pick<Clock, 'now' | 'steady'>,
  ) {
    this.keys = documents.collection(apiKeys);
    this.users = documents.collection(user.states);
    this.memberships = documents.collection(membership.states);
    this.accounts = documents.collection(serviceAccount.states);
    this.organizations = documents.collection(organization.states);
  }

  /** The cached result of a key, without a look-up; null if there is none. */
  getCached(hash: string, org: string | null): Identity | null {
    const cachedIdentity = this.recent.get(entryOf(hash, org), this.clock.steady());
    return cachedIdentity !== undefined && !this.isExpired(cachedIdentity.expiresAt) ? cachedIdentity.identity : null;
  }

  /**
   * @param hash SHA-256 of the key
   * @param org name of an organization; null: the caller's own
   */
  async find(hash: string, org: string | null): Promise<IdentityResult> {
    const entry = entryOf(hash, org);
    // Concurrent requests share one look-up. A refused one looks up again, because the key or membership may have been created meanwhile.
    const pendingIdentity = await this.finding.get(entry);
    if (pendingIdentity?.ok === true) return pendingIdentity;
    const finding = this.lookUp(hash, org).finally(() => {
      if (this.finding.get(entry) === finding) this.finding.delete(entry);
    });
    this.finding.set(entry, finding);
    return finding;
  }

  private async lookUp(hash: string, org: string | null): Promise<IdentityResult> {
    // The age counts from before the look-up, because the data may change during the look-up.
    const lookedUpAt = this.clock.steady();
    const key = await this.keyOf(hash);
    if (key === null || this.isExpired(key.expiresAt)) return err('unauthenticated');
    const results = await this.identityOf(key, org);
    if (results === null) return err('forbidden');
    const identity = { ...results, key: hash };
    this.recent.set(entryOf(hash, org), { identity, expiresAt: key.expiresAt }, lookedUpAt);
    return ok(identity);
  }

  /**
   * The same as `find`, for a session. A session has the rights of the key that began it. A session without a key has the rights of its user, if that
   * user exists.
   */
  async identityOfSession(
    { key, principal: id }: Pick<Session, 'key' | 'principal'>,
    org: string | null,
  ): Promise<Result<Identity, 'unauthenticated' | 'forbidden'>> {
    const entry = key ?? `user ${id}`;
    const cachedIdentity = this.getCached(entry, org);
    if (cachedIdentity !== null) return ok(cachedIdentity);
    if (key !== null) return this.find(key, org);
    const lookedUpAt = this.clock.steady();
    const userState = await this.users.get(streams.user(id));
    if (userState === null || userState.removed === true) return err('unauthenticated');
    const identity = await this.identityOf(
      { principal: id, kind: 'user', name: userState.name, org: null, expiresAt: 0 },
      org,
    );
    if (identity === null) return err('forbidden');
    this.recent.set(entryOf(entry, org), { identity, expiresAt: 0 }, lookedUpAt);
    return ok(identity);
  }

  private async identityOf(caller: Caller, org: string | null): Promise<Identity | null> {
    const place = await this.membershipOf(caller, org);
    const role = place === null ? null : await this.roleOf(caller, place.id);
    if (place === null || role === null) return null;
    return {
      org: place,
      principal: { id: caller.principal, kind: caller.kind, name: caller.name, role },
      holder: await this.holderOf(place.id),
    };
  }

  /** The id of an organization's holder, which never changes. */
  private async holderOf(org: string): Promise<string> {
    const cachedHolder = this.holders.get(org);
    if (cachedHolder !== undefined) return cachedHolder;
    const state = await this.organizations.get(streams.organization(org));
    if (state === null) return org;
    const holder = organizationHolder(state);
    this.holders.set(org, holder);
    forgetOldest(this.holders, CACHED_MAX);
    return holder;
  }

  /** The key of a hash. Concurrent requests share one look-up. */
  private keyOf(hash: string): Promise<KeyDocument | null> {
    const lookup = this.underWay.get(hash) ?? this.keys.get(hash).finally(() => this.underWay.delete(hash));
    this.underWay.set(hash, lookup);
    return lookup;
  }

  private async roleOf(key: Caller, org: string): Promise<Privilege | null> {
    if (key.kind === 'user') return (await this.memberships.get(streams.membership(org, key.principal)))?.role ?? null;
    if (key.org !== org) return null;
    const account = await this.accounts.get(streams.serviceAccount(key.principal));
    return account?.org === org && !account.deleted ? account.privilege : null;
  }

  /** An organization by its name. Without a name, it is the only organization of a service account, or the personal one of a user. */
  private async membershipOf(key: Caller, org: string | null): Promise<Identity['org'] | null> {
    if (org === null) {
      const organizationState = await this.organizations.get(streams.organization(key.org ?? key.principal));
      return organizationState === null ? null : { id: organizationState.id, name: organizationState.name };
    }
    // No organization has such a long name, so no engine needs to accept it in an id.
    if (org.length > NAME_MAX) return null;
    const id = await holderOf(this.documents, NO_ORGANIZATION, 'account', org);
    return id === null ? null : { id, name: org };
  }

  private isExpired(expiresAt: number): boolean {
    return expiresAt !== 0 && this.clock.now() >= expiresAt * 1_000;
  }
}

function entryOf(hash: string, org: string | null): string {
  return org === null ? hash : `${hash} ${org}`;
}
