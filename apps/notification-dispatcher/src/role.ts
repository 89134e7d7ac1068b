import type { Role } from '@assurance/http';
import { PublicEventPublisher } from '@assurance/notifications/dispatch/announce';
import { destinationItems, mailItems } from '@assurance/notifications/dispatch/destination-queue';
import { Dispatcher } from '@assurance/notifications/dispatch/dispatcher';
import {
  DISPATCHER_FEED,
  NotificationFeedController,
  PUBLIC_FEED,
} from '@assurance/notifications/dispatch/feed.controller';
import { Redeliver } from '@assurance/notifications/dispatch/operations/redeliver';
import { deliveries, type Delivery } from '@assurance/notifications/domain/delivery';
import { targetHealth } from '@assurance/notifications/domain/health';
import { keyNotices } from '@assurance/notifications/domain/key-expiry';
import { Module } from '@nestjs/common';

const DAY_MS = 24 * 3_600_000;

@Module({ controllers: [NotificationFeedController], providers: [Dispatcher, PublicEventPublisher, Redeliver] })
class NotificationModule {}

/** Matches events to targets and delivers messages. It has no route. */
export const notificationDispatcher: Role = {
  name: 'notification-dispatcher',
  module: NotificationModule,
  needs: ['events', 'documents', 'feed', 'public-events'],
  consumes: [
    { group: 'notification-dispatcher', transport: DISPATCHER_FEED },
    { group: 'cloudevents', transport: PUBLIC_FEED, onlyWith: 'public-events' },
  ],
  operations: [Redeliver],
  queues: [
    { name: 'destinations', items: destinationItems },
    { name: 'mail', items: mailItems },
  ],
  counts: [
    {
      name: 'assurance_dead_deliveries',
      help: 'Dead messages of the last 24 hours',
      collection: deliveries,
      where: (now) => ({ state: 'dead', at: { gte: now - DAY_MS } }),
    },
  ],
  archived: [
    { collection: deliveries, ownerOf: (_, doc) => ({ org: (doc as Delivery).org }), secret: false },
    { collection: keyNotices, ownerOf: () => null, secret: false },
    { collection: targetHealth, ownerOf: () => null, secret: false },
    { collection: destinationItems, ownerOf: () => null, secret: false },
    { collection: mailItems, ownerOf: () => null, secret: false },
  ],
};
