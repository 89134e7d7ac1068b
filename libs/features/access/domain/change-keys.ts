import type { ApiKey, ApiKeyAdded, ApiKeyRevoked, ApiKeyRotated } from '@assurance/contracts/access/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import { isRetained, KEYS_MAX, type StoredKey } from './keys';

/** An owner of keys: a user or a service account. */
interface Owner {
  readonly keys: readonly StoredKey[];
}

export type KeyRefusal = FeatureRefusal<'key-unknown' | 'too-many-keys' | 'key-expired'>;

const HOUR_MS = 3_600_000;

/**
 * Adds a new key to its owner.
 *
 * @param facts.at integer milliseconds
 */
export function decideCreateKey(
  state: Owner,
  key: ApiKey,
  { at }: { readonly at: number },
): Decision<ApiKeyAdded, KeyRefusal> {
  const { expiresAt } = key;
  if (expiresAt !== 0 && expiresAt * 1_000 <= at) return refused({ kind: 'key-expired', expiresAt });
  if (hasMaximumKeys(state, at)) return refused({ kind: 'too-many-keys', limit: KEYS_MAX });
  return accepted({ type: 'ApiKeyAdded', version: 1, data: key });
}

/** The key to replace, and how long both keys work. */
export interface RotateKey {
  readonly id: string;
  readonly graceHours: number;
  /** Expiry of the new key in epoch seconds, 0 for never; null: the new key gets the same lifetime as the old one. */
  readonly expiresAt: number | null;
}

/**
 * Replaces a key by a new one. The old key works for a while, at most until its own expiry.
 *
 * @param facts.key the new key: id and hash
 * @param facts.at integer milliseconds
 */
export function decideRotateKey(
  state: Owner,
  { id, graceHours, expiresAt: requestedExpiry }: RotateKey,
  { key, at }: { readonly key: Pick<ApiKey, 'id' | 'hash'>; readonly at: number },
): Decision<ApiKeyRotated, KeyRefusal> {
  const old = state.keys.find((candidate) => candidate.id === id && isRetained(candidate, at));
  if (old === undefined) return refused({ kind: 'key-unknown' });
  if (requestedExpiry !== null && requestedExpiry !== 0 && requestedExpiry * 1_000 <= at)
    return refused({ kind: 'key-expired', expiresAt: requestedExpiry });
  if (hasMaximumKeys(state, at)) return refused({ kind: 'too-many-keys', limit: KEYS_MAX });
  const grace = Math.floor((at + graceHours * HOUR_MS) / 1_000);
  const until = old.expiresAt === 0 ? grace : Math.min(old.expiresAt, grace);
  const lifetime = old.expiresAt === 0 ? null : old.expiresAt - Math.floor(old.createdAt / 1_000);
  const expiresAt = requestedExpiry ?? (lifetime === null ? 0 : Math.floor(at / 1_000) + lifetime);
  const by = { ...key, description: old.description, expiresAt };
  return accepted({ type: 'ApiKeyRotated', version: 1, data: { id, until, by } });
}

/** Revokes a key. Repeating it changes nothing while the state still lists the key. */
export function decideRevokeKey(state: Owner, { id }: { readonly id: string }): Decision<ApiKeyRevoked, KeyRefusal> {
  const key = state.keys.find((candidate) => candidate.id === id);
  if (key === undefined) return refused({ kind: 'key-unknown' });
  return key.revoked === true ? noChange : accepted({ type: 'ApiKeyRevoked', version: 1, data: { id } });
}

function hasMaximumKeys({ keys }: Owner, at: number): boolean {
  return keys.filter((key) => isRetained(key, at)).length >= KEYS_MAX;
}
