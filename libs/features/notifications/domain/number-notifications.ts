import type { NotificationNumberTaken } from '@assurance/contracts/notifications/events';
import { accepted, type Decision } from '@assurance/kernel';
import type { NotificationNumbers } from './notification';

/** Takes the next number, from 1. A number stays taken even if no notification is created with it. */
export function decideTakeNumber(state: NotificationNumbers | null): Decision<NotificationNumberTaken, never> {
  return accepted({ type: 'NotificationNumberTaken', version: 1, data: { number: (state?.taken ?? 0) + 1 } });
}
