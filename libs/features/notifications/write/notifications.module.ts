import { CoreModule } from '@assurance/access/write/core.module';
import { EnvironmentStatesModule } from '@assurance/environments/write/environment-states.module';
import { Module } from '@nestjs/common';
import { ChangeKeyExpiryHandler } from './change-key-expiry';
import { ChangeNotificationHandler } from './change-notification';
import { ChangeTargetConfigHandler, TargetConfigs } from './configs';
import { IssueSecretHandler } from './issue-secret';
import { NotificationsController } from './notifications.controller';
import { PutNotificationHandler } from './put-notification';
import { Secrets } from './secrets';

/** Notifications and the configurations of their targets. */
@Module({
  imports: [CoreModule, EnvironmentStatesModule],
  controllers: [NotificationsController],
  providers: [
    Secrets,
    TargetConfigs,
    PutNotificationHandler,
    ChangeNotificationHandler,
    ChangeKeyExpiryHandler,
    ChangeTargetConfigHandler,
    IssueSecretHandler,
  ],
})
export class NotificationsModule {}
