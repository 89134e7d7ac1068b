import type { ApiKey, ApiKeyEvent } from '@assurance/contracts/access/events';
import type { CollectionShape, InlineProjection } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';

/** The principal of an API key. The document's id is the SHA-256 of the key. */
export interface KeyDocument {
  readonly id: string;
  readonly principal: string;
  readonly kind: 'user' | 'service-account';
  /** The principal's name. */
  readonly name: string;
  /** The only organization of a service account; null for a user, because memberships decide. */
  readonly org: string | null;
  /** Epoch seconds; 0 means never. */
  readonly expiresAt: number;
}

export const apiKeys: CollectionShape<KeyDocument> = { name: 'api_keys', indexes: [] };

/** When a key was last used. No event records this. The document's id is the key's SHA-256. */
export interface KeyUse {
  /** Epoch seconds. */
  readonly lastUsedAt: number;
}

export const keyUses: CollectionShape<KeyUse> = { name: 'key_uses', indexes: [] };

/** The most live keys of an owner, and the most ended keys in the state, because an aggregate state must be bounded. */
export const KEYS_MAX = 50;

/** A key in its owner's aggregate state. */
export interface StoredKey extends ApiKey {
  /** Integer milliseconds. */
  readonly createdAt: number;
  /** Another key replaced it. It works until it expires, and then no longer counts. */
  readonly replaced?: true;
  /** It is no longer valid. The state lists it, so that a declaration that still names it does not restore it. */
  readonly revoked?: true;
}

/** The keys after an event. */
export function keysAfter(keys: readonly StoredKey[], event: ApiKeyEvent, { at }: EventMeta): readonly StoredKey[] {
  switch (event.type) {
    case 'ApiKeyAdded':
      return limitKeys([...keys, { ...event.data, createdAt: at }], at);
    case 'ApiKeyRotated': {
      const { id, until, by } = event.data;
      const keysAfter = keys.map((key) =>
        key.id === id ? { ...key, expiresAt: until, replaced: true as const } : key,
      );
      return limitKeys([...keysAfter, { ...by, createdAt: at }], at);
    }
    case 'ApiKeyRevoked':
      return limitKeys(
        keys.map((key) => (key.id === event.data.id ? { ...key, revoked: true as const } : key)),
        at,
      );
  }
}

function limitKeys(keys: readonly StoredKey[], at: number): readonly StoredKey[] {
  const expired = keys.filter((key) => !isRetained(key, at));
  const forgotten = new Set(expired.slice(0, Math.max(0, expired.length - KEYS_MAX)));
  return forgotten.size === 0 ? keys : keys.filter((key) => !forgotten.has(key));
}

/**
 * Whether a key still counts: it is not revoked, and it is not a replaced key that has expired.
 *
 * @param at integer milliseconds
 */
export function isRetained({ revoked, replaced, expiresAt }: StoredKey, at: number): boolean {
  return revoked !== true && !(replaced === true && expiresAt * 1_000 <= at);
}

/** The documents that the gateway uses to find a key's owner, for the keys that an event changed. */
export function keyDocuments(
  owner: Pick<KeyDocument, 'principal' | 'kind' | 'name' | 'org'>,
  keys: readonly StoredKey[],
  event: ApiKeyEvent,
): InlineProjection[] {
  const changedIds = new Set(event.type === 'ApiKeyRotated' ? [event.data.id, event.data.by.id] : [event.data.id]);
  return keys
    .filter(({ id }) => changedIds.has(id))
    .map(({ id, hash, expiresAt, revoked }) => ({
      collection: apiKeys,
      id: hash,
      doc: revoked === true ? null : { ...owner, id, expiresAt },
    }));
}
