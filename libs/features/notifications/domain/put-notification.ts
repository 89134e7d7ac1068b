import type { RenameRefusal } from '@assurance/access/domain/naming/rename';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type {
  NotificationCreated,
  NotificationSettings,
  NotificationType,
  NotificationUpdated,
} from '@assurance/contracts/notifications/events';
import { accepted, changedOf, type Decision, noChange, refused } from '@assurance/kernel';
import type { Notification } from './notification-state';

/** The number was never taken, or its notification was deleted. */
export type UnknownNotification = FeatureRefusal<'notification-unknown'>;

/** The required fields of a new notification. Without environments it sends nothing. */
export type CreateNotification = Omit<NotificationSettings, 'environments'> &
  Partial<Pick<NotificationSettings, 'environments'>> &
  TypeFilter;

interface TypeFilter {
  /** If given, the notification has this type, and notifications of the other type are unknown to the caller. */
  readonly type?: NotificationType;
}

/**
 * Creates a notification, or updates it if it exists. A name that a notification of the other type has is taken.
 *
 * @param facts.number the number of a new notification
 */
export function decideCreateNotification(
  state: Notification | null,
  settings: CreateNotification,
  facts: { readonly number: number },
): Decision<NotificationCreated | NotificationUpdated, UnknownNotification | RenameRefusal> {
  const { type = 'env', name, environments = [], flows = [], triggers, targets } = settings;
  if (state !== null && state.type !== type) return refused({ kind: 'name-taken', name });
  if (state !== null) return decideUpdateNotification(state, settings, { isOwn: true });
  const lists = { environments, ...(type === 'flow' ? { flows } : {}) };
  const data = { number: facts.number, type, name, ...lists, triggers, targets } as const;
  return accepted({ type: 'NotificationCreated', version: 1, data });
}

/**
 * Replaces the given fields of a notification (specification 4.2). Absent fields keep their values.
 *
 * @param facts.isOwn whether the notification holds the name in the register of names
 */
export function decideUpdateNotification(
  state: Notification | null,
  { type = 'env', name, environments, flows, triggers, targets }: Partial<NotificationSettings> & TypeFilter,
  facts: { readonly isOwn: boolean },
): Decision<NotificationUpdated, UnknownNotification | RenameRefusal> {
  if (state === null || state.deleted || state.type !== type) return refused({ kind: 'notification-unknown' });
  const changedFields = changedOf<NotificationSettings>(state, { name, environments, flows, triggers, targets });
  if (changedFields === null) return noChange;
  if (changedFields.name !== undefined && !facts.isOwn)
    return refused({ kind: 'name-taken', name: changedFields.name });
  return accepted({ type: 'NotificationUpdated', version: 1, data: changedFields });
}
