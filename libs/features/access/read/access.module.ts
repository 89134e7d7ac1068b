import { Module } from '@nestjs/common';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { AccessQueriesController } from './access.controller';
import { ListInvitationsHandler, ListMembersHandler, ListMembershipEventsHandler } from './members';
import { GetOrganizationHandler } from './organization';
import { GetServiceAccountHandler, ListServiceAccountsHandler, ListUserKeysHandler } from './service-accounts';
import { GetDefaultOrganizationHandler, ListIdentitiesHandler } from './user';

/** Members, invitations, service accounts and keys. */
@Module({
  imports: [ViewsModule],
  controllers: [AccessQueriesController],
  providers: [
    GetOrganizationHandler,
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
