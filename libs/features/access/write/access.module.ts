import { Module } from '@nestjs/common';
import { ApplyBootstrap } from './apply-bootstrap';
import { ChangeKeysHandler } from './change-keys';
import { ChangeMemberHandler } from './change-member';
import { ChangeServiceAccountHandler } from './change-service-account';
import { ChooseDefaultHandler } from './choose-default';
import { CoreModule } from './core.module';
import { CreateOrganizationHandler, Organizations } from './create-organization';
import { Declare } from './declare';
import { Invitations } from './invitations';
import { AcceptInvitationHandler, InviteHandler, RevokeInvitationHandler } from './invite';
import { FollowUpCommits } from './joining';
import { MembersController } from './members.controller';
import { Memberships } from './memberships';
import { ServiceAccountsController } from './service-accounts.controller';
import { DetachIdentityHandler, SignInHandler } from './sign-in';
import { SignIns } from './sign-ins';
import { UserController } from './user.controller';

/** Organizations, members, invitations, keys, service accounts and signing in. */
@Module({
  imports: [CoreModule],
  controllers: [MembersController, ServiceAccountsController, UserController],
  providers: [
    Declare,
    ApplyBootstrap,
    Memberships,
    FollowUpCommits,
    Invitations,
    SignIns,
    Organizations,
    CreateOrganizationHandler,
    ChangeMemberHandler,
    InviteHandler,
    RevokeInvitationHandler,
    AcceptInvitationHandler,
    ChangeServiceAccountHandler,
    ChangeKeysHandler,
    ChooseDefaultHandler,
    SignInHandler,
    DetachIdentityHandler,
  ],
  exports: [Memberships, FollowUpCommits, Organizations],
})
export class AccessModule {}
