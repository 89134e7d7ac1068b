import type {
  NotificationDeleted,
  NotificationTested,
  NotificationType,
} from '@assurance/contracts/notifications/events';
import { accepted, type Decision, refused } from '@assurance/kernel';
import type { Notification } from './notification-state';
import type { UnknownNotification } from './put-notification';

/**
 * Deletes a notification. Its name becomes free, and its number stays taken.
 *
 * @param type the type of notifications that the caller knows; null: both types
 */
export function decideDeleteNotification(
  state: Notification | null,
  type: NotificationType | null,
): Decision<NotificationDeleted, UnknownNotification> {
  if (state === null || state.deleted || (type !== null && state.type !== type))
    return refused({ kind: 'notification-unknown' });
  return accepted({ type: 'NotificationDeleted', version: 1, data: {} });
}

/** Requests a test message to every target. */
export function decideTestNotification(state: Notification | null): Decision<NotificationTested, UnknownNotification> {
  if (state === null || state.deleted) return refused({ kind: 'notification-unknown' });
  return accepted({ type: 'NotificationTested', version: 1, data: {} });
}
