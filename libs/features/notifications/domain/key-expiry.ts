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
import type { Notification } from './notification-state';

/** The number of an organization's notification about expiring API keys. This notification has no name in the register and is in no list. */
export const KEY_EXPIRY_NUMBER = 0;

/** How many days before its expiry a key is announced, once for each number. */
export const NOTICE_DAYS = [14, 1] as const;
export type NoticeDays = (typeof NOTICE_DAYS)[number];

const DAY_MS = 24 * 3_600_000;

/** An organization that gets announcements of expiring keys. */
export interface KeyExpiryDocument {
  readonly org: string;
}

export const keyExpiryConfigs: CollectionShape<KeyExpiryDocument> = {
  name: 'key_expiry_configs',
  indexes: [index('by_org', 'org')],
};

/** The newest announcement of a key. The document's id is the key's. */
export interface KeyNotice {
  /** The announced expiry: epoch seconds. */
  readonly expiresAt: number;
  readonly days: NoticeDays;
}

export const keyNotices: CollectionShape<KeyNotice> = { name: 'key_notices', indexes: [] };

/** The document that marks an organization that gets announcements. */
export function keyExpiryProjections({ type, org, deleted }: Notification): InlineProjection[] {
  if (type !== 'api_key_expiry') return [];
  const doc: KeyExpiryDocument | null = deleted ? null : { org };
  return [{ collection: keyExpiryConfigs, id: org, doc }];
}

/** Sets the targets of an organization's warnings. */
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

/** Stops the warnings. Changes nothing if there are none. */
export function decideDeleteKeyExpiry(state: Notification | null): Decision<NotificationDeleted, never> {
  if (state === null || state.deleted) return noChange;
  return accepted({ type: 'NotificationDeleted', version: 1, data: {} });
}

/**
 * The announcement of a key that is due; null if none is. A key that is first checked in its last day is announced once. A revoked, replaced or
 * expired key is not announced.
 *
 * @param notice the newest announcement of the key
 * @param at integer milliseconds
 */
export function noticeDue(
  { expiresAt, revoked, replaced }: Pick<StoredKey, 'expiresAt' | 'revoked' | 'replaced'>,
  notice: KeyNotice | null,
  at: number,
): NoticeDays | null {
  if (expiresAt === 0 || revoked === true || replaced === true) return null;
  const remainingMs = expiresAt * 1_000 - at;
  const days = NOTICE_DAYS.toReversed().find((some) => remainingMs <= some * DAY_MS);
  if (remainingMs <= 0 || days === undefined) return null;
  return notice?.expiresAt === expiresAt && notice.days <= days ? null : days;
}
