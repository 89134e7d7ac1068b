import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module';
import { ChangeTargetConfigHandler, TargetConfigs } from './configs';
import { ChangeNotificationHandler } from './change-notification';
import { IssueSecretHandler } from './issue-secret';
import { NotificationsController } from './notifications.controller';
import { PutNotificationHandler } from './put-notification';
import { Secrets } from './secrets';

/** Notifications and the configurations of their targets. */
@Module({
  imports: [CoreModule],
  controllers: [NotificationsController],
  providers: [
    Secrets,
    TargetConfigs,
    PutNotificationHandler,
    ChangeNotificationHandler,
    ChangeTargetConfigHandler,
    IssueSecretHandler,
  ],
})
export class NotificationsModule {}
