import type { StoredKey } from '@assurance/access/domain/keys';
import { type CollectionShape, index, type InlineProjection } from '@assurance/contracts/events/aggregate';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type {
  NotificationCreated,
  NotificationDeleted,
  NotificationUpdated,
  Target,
} from '@assurance/contracts/notifications/events';
import { accepted, canonicalJson, type Decision, noChange, refused } from '@assurance/kernel';
import type { Notification } from './notification';

/** The number of an organization's notification of ending API keys: it has no name in the register and is in no list. */
export const KEY_EXPIRY_NUMBER = 0;

/** How many days before its end a key is announced, once each. */
export const NOTICE_DAYS = [14, 1] as const;
export type NoticeDays = (typeof NOTICE_DAYS)[number];

const DAY_MS = 24 * 3_600_000;

/** An organization whose ending keys are announced. */
export interface KeyExpiryDocument {
  readonly org: string;
}

export const keyExpiryConfigs: CollectionShape<KeyExpiryDocument> = {
  name: 'key_expiry_configs',
  indexes: [index('by_org', 'org')],
};

/** The newest announcement of a key. The document's id is the key's. */
export interface KeyNotice {
  /** The end that was announced: epoch seconds. */
  readonly expiresAt: number;
  readonly days: NoticeDays;
}

export const keyNotices: CollectionShape<KeyNotice> = { name: 'key_notices', indexes: [] };

/** The document that tells which organizations to look at. */
export function keyExpiryProjections({ type, org, deleted }: Notification): InlineProjection[] {
  if (type !== 'api_key_expiry') return [];
  const doc: KeyExpiryDocument | null = deleted ? null : { org };
  return [{ collection: keyExpiryConfigs, id: org, doc }];
}

/** Sets where the warnings of an organization go. */
export function decidePutKeyExpiry(
  state: Notification | null,
  { targets }: { readonly targets: readonly Target[] },
): Decision<NotificationCreated | NotificationUpdated, FeatureRefusal<'invalid'>> {
  if (targets.length === 0) {
    return refused({ kind: 'invalid', errors: { targets: 'Input should have at least one target' } });
  }
  if (state === null || state.deleted) {
    const type = 'api_key_expiry';
    const data = { number: KEY_EXPIRY_NUMBER, type, name: type, environments: [], triggers: [], targets } as const;
    return accepted({ type: 'NotificationCreated', version: 1, data });
  }
  if (canonicalJson(state.targets) === canonicalJson(targets)) return noChange;
  return accepted({ type: 'NotificationUpdated', version: 1, data: { targets } });
}

/** Stops the warnings; without any it changes nothing. */
export function decideDeleteKeyExpiry(state: Notification | null): Decision<NotificationDeleted, never> {
  if (state === null || state.deleted) return noChange;
  return accepted({ type: 'NotificationDeleted', version: 1, data: {} });
}

/**
 * Which announcement of a key is due; null where none is. A key that comes late into the last day is announced once. One that was revoked, that another
 * took the place of, or that has ended is not announced.
 *
 * @param notice the newest that there was
 * @param at integer milliseconds
 */
export function noticeDue(
  { expiresAt, revoked, replaced }: Pick<StoredKey, 'expiresAt' | 'revoked' | 'replaced'>,
  notice: KeyNotice | null,
  at: number,
): NoticeDays | null {
  if (expiresAt === 0 || revoked === true || replaced === true) return null;
  const remaining = expiresAt * 1_000 - at;
  const days = NOTICE_DAYS.toReversed().find((some) => remaining <= some * DAY_MS);
  if (remaining <= 0 || days === undefined) return null;
  return notice?.expiresAt === expiresAt && notice.days <= days ? null : days;
}
