import { Module } from '@nestjs/common';
import { ViewsModule } from '../views/views.module';
import { ListInvitationsHandler, ListMembersHandler, ListMembershipEventsHandler } from './members';
import { AccessQueriesController } from './access.controller';
import { GetServiceAccountHandler, ListServiceAccountsHandler, ListUserKeysHandler } from './service-accounts';
import { GetDefaultOrganizationHandler, ListIdentitiesHandler } from './user';

/** Members, invitations, service accounts and keys. */
@Module({
  imports: [ViewsModule],
  controllers: [AccessQueriesController],
  providers: [
    ListMembersHandler,
    ListInvitationsHandler,
    ListMembershipEventsHandler,
    ListServiceAccountsHandler,
    GetServiceAccountHandler,
    ListUserKeysHandler,
    GetDefaultOrganizationHandler,
    ListIdentitiesHandler,
  ],
})
export class AccessQueriesModule {}
