import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ViewsModule } from '../views/views.module';
import { ListInvitationsHandler, ListMembersHandler, ListMembershipEventsHandler } from './members';
import { MemberQueriesController } from './members.controller';
import { GetServiceAccountHandler, ListServiceAccountsHandler, ListUserKeysHandler } from './service-accounts';
import { GetDefaultOrganizationHandler, ListIdentitiesHandler } from './user';
import { UserQueriesController } from './user.controller';

/** Members, invitations, service accounts and keys. */
@Module({
  imports: [CqrsModule, ViewsModule],
  controllers: [MemberQueriesController, UserQueriesController],
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
