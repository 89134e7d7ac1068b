import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { commandBy } from '@assurance/http/commands';
import type { Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type FreshInvitation, Invitations, type InvitationInput, type JoinedMember } from './invitations';

/** Invites a person to the caller's organization. `invitedBy` is the name of the inviter. */
export class Invite extends commandBy<{ invitedBy: string; invited: InvitationInput }, FreshInvitation>() {}

/** Revokes an open invitation. */
export class RevokeInvitation extends commandBy<{ id: string }>() {}

/** Accepts an invitation. The caller is an existing user who sends the token, or a new person who was identified by the token. */
export class AcceptInvitation extends commandBy<
  {
    as:
      | { readonly kind: 'user'; readonly token: string }
      | { readonly kind: 'newcomer'; readonly invitation: string; readonly name: string | null };
  },
  JoinedMember
>() {}

@CommandHandler(Invite)
export class InviteHandler implements ICommandHandler<Invite> {
  constructor(private readonly invitations: Invitations) {}

  execute({ caller, invitedBy, invited }: Invite): Promise<Result<FreshInvitation, FeatureRefusal>> {
    return this.invitations.create(caller, invitedBy, invited);
  }
}

@CommandHandler(RevokeInvitation)
export class RevokeInvitationHandler implements ICommandHandler<RevokeInvitation> {
  constructor(private readonly invitations: Invitations) {}

  execute({ caller, id }: RevokeInvitation): Promise<Result<null, FeatureRefusal>> {
    return this.invitations.revoke(caller, id);
  }
}

@CommandHandler(AcceptInvitation)
export class AcceptInvitationHandler implements ICommandHandler<AcceptInvitation> {
  constructor(private readonly invitations: Invitations) {}

  execute({ caller, as }: AcceptInvitation): Promise<Result<JoinedMember, FeatureRefusal>> {
    return as.kind === 'user'
      ? this.invitations.accept(caller, as.token)
      : this.invitations.join(caller, as.invitation, as.name);
  }
}
