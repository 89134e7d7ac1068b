import type { NotificationNumberTaken } from '@assurance/contracts-events';
import { accepted, type Decision } from '@assurance/kernel';
import type { NotificationNumbers } from '@assurance/model';

/** Gives out the next number, from 1. One that comes to nothing stays taken. */
export function decideTakeNumber(state: NotificationNumbers | null): Decision<NotificationNumberTaken, never> {
  return accepted({ type: 'NotificationNumberTaken', version: 1, data: { number: (state?.taken ?? 0) + 1 } });
}
