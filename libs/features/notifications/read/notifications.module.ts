import { Module } from '@nestjs/common';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import {
  GetActionsHandler,
  GetNotificationsHandler,
  GetTargetConfigsHandler,
  ListDeliveriesHandler,
} from './notifications';
import { GetKeyExpiryHandler } from './key-expiry';
import { NotificationQueriesController } from './notifications.controller';

/** Notifications and their deliveries. */
@Module({
  imports: [ViewsModule],
  controllers: [NotificationQueriesController],
  providers: [
    GetKeyExpiryHandler,
    GetActionsHandler,
    GetNotificationsHandler,
    GetTargetConfigsHandler,
    ListDeliveriesHandler,
  ],
})
export class NotificationQueriesModule {}
