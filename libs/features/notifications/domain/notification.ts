import { type Aggregate, index, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import { keyOf } from '@assurance/contracts/events/streams';
import type { NotificationEvent, NotificationNumbersEvent } from '@assurance/contracts/notifications/events';
import { keyExpiryProjections } from './key-expiry';
import { listeningProjections } from './listening';
import type { Notification } from './notification-state';
import { signingsAfter, signingsOf } from './signing';

/** The most notifications of an organization, without deleted ones. Every event of an environment is compared with all of them. */
export const NOTIFICATIONS_MAX = 500;

export const notification: Aggregate<Notification, NotificationEvent> = {
  kind: 'notification',
  states: {
    name: 'notifications',
    indexes: [index('by_number', 'org', 'deleted', 'number'), index('by_fold', 'org', 'deleted', 'fold')],
  },
  schemaVersion: 2,
  evolve(state, event, meta) {
    if (event.type === 'NotificationCreated') {
      const { at: createdAt, actor: createdBy, org } = meta;
      return { ...event.data, org, signings: {}, createdAt, createdBy, lastModifiedAt: createdAt, deleted: false };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    switch (event.type) {
      case 'NotificationUpdated': {
        const after = { ...state, ...event.data, lastModifiedAt: meta.at };
        return { ...after, signings: signingsOf(after.targets, state.signings) };
      }
      case 'NotificationDeleted':
        return { ...state, deleted: true, targets: [], signings: {}, lastModifiedAt: meta.at };
      case 'NotificationTested':
        return state;
      case 'SigningSecretIssued':
        return { ...state, signings: signingsAfter(state.signings, event.data) };
    }
  },
  inlineProjections: (state, _event, meta, before) => [
    ...listeningProjections(before, state, meta),
    ...keyExpiryProjections(state),
  ],
};

/** The numbers of an organization's notifications. `taken` is the last number that was taken. */
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
