import { Module } from '@nestjs/common';
import type { Role } from '@assurance/http';
import { deliveries, type Delivery, targetHealth } from '@assurance/model-notification';

@Module({})
class NotificationModule {}

/** Who should hear of what happened. Deliveries come with the notifications; until then it answers no route and follows no feed. */
export const notificationDispatcher: Role = {
  name: 'notification-dispatcher',
  module: NotificationModule,
  needs: [],
  keeps: [
    { collection: deliveries, whose: (_, doc) => ({ org: (doc as Delivery).org }), secret: false },
    { collection: targetHealth, whose: () => null, secret: false },
  ],
};
