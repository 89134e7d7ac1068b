import type {
  NotificationDeleted,
  NotificationTested,
  NotificationType,
} from '@assurance/contracts/notifications/events';
import { accepted, type Decision, refused } from '@assurance/kernel';
import type { Notification } from './notification';
import type { UnknownNotification } from './put-notification';

/**
 * Deletes a notification: its name is free again, its number is not.
 *
 * @param type of those that the caller knows; null: of both
 */
export function decideDeleteNotification(
  state: Notification | null,
  type: NotificationType | null,
): Decision<NotificationDeleted, UnknownNotification> {
  if (state === null || state.deleted || (type !== null && state.type !== type))
    return refused({ kind: 'notification-unknown' });
  return accepted({ type: 'NotificationDeleted', version: 1, data: {} });
}

/** Asks for a message to every target. */
export function decideTestNotification(state: Notification | null): Decision<NotificationTested, UnknownNotification> {
  if (state === null || state.deleted) return refused({ kind: 'notification-unknown' });
  return accepted({ type: 'NotificationTested', version: 1, data: {} });
}
