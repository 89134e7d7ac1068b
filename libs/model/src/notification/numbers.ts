import { type Aggregate, keyOf, type NotificationNumbersEvent } from '@assurance/contracts-events';

/** How many numbers an organization's notifications have had: the last one given out. */
export interface NotificationNumbers {
  readonly org: string;
  readonly taken: number;
}

export const notificationNumbers: Aggregate<NotificationNumbers, NotificationNumbersEvent> = {
  kind: 'notification-numbers',
  states: { name: 'notification_numbers', indexes: [] },
  schemaVersion: 1,
  evolve: (_state, { data }, { stream }) => ({ org: keyOf(stream), taken: data.number }),
};
