import type { NewInvitation } from '@assurance/contracts/access/answers/access';
import { routes } from '@assurance/contracts/http/routes/routes';
import { answer, type CallOf, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import { ChangeMember } from './change-member';
import { CreateOrganization } from './create-organization';
import type { FreshInvitation } from './invitations';
import { AcceptInvitation, Invite, RevokeInvitation } from './invite';

/** Organizations and their members. */
@Controller()
export class MembersController extends CommandsController {
  @Route(routes.createOrganization)
  async createOrganization(@RequestCall() call: CallOf<typeof routes.createOrganization>) {
    return this.answerMade(new CreateOrganization({ caller: callerOf(call), name: call.body.name }));
  }

  @Route(routes.putMember)
  async put(@RequestCall() call: CallOf<typeof routes.putMember>) {
    const { role, source, email } = call.body;
    const { user } = call.params;
    const change = { kind: 'set', role, source: source ?? null, email: email ?? null } as const;
    const invitation = await this.run(
      new ChangeMember({ caller: callerOf(call), changedBy: call.principal.name, user, change }),
    );
    return answer(invitation === null ? 200 : 201, {
      user,
      role,
      invitation: invitation === null ? null : newInvitation(invitation),
    });
  }

  @Route(routes.removeMember)
  async remove(@RequestCall() call: CallOf<typeof routes.removeMember>) {
    const { user } = call.params;
    return this.ok(
      new ChangeMember({ caller: callerOf(call), changedBy: call.principal.name, user, change: { kind: 'remove' } }),
    );
  }

  @Route(routes.createInvitation)
  async invite(@RequestCall() call: CallOf<typeof routes.createInvitation>) {
    const { email, role, user } = call.body;
    const invitationInput = { email, role, name: user ?? null };
    const invitation = await this.run(
      new Invite({ caller: callerOf(call), invitedBy: call.principal.name, invited: invitationInput }),
    );
    return answer(201, newInvitation(invitation));
  }

  @Route(routes.revokeInvitation)
  async revoke(@RequestCall() call: CallOf<typeof routes.revokeInvitation>) {
    return this.ok(new RevokeInvitation({ caller: callerOf(call), id: call.params.id }));
  }

  @Route(routes.acceptInvitation)
  async accept(@RequestCall() call: CallOf<typeof routes.acceptInvitation>) {
    const as = { kind: 'user', token: call.body.token } as const;
    const { key: _, ...joined } = await this.run(new AcceptInvitation({ caller: callerOf(call), as }));
    return answer(200, joined);
  }

  @Route(routes.joinByInvitation)
  async join(@RequestCall() call: CallOf<typeof routes.joinByInvitation>) {
    const as = { kind: 'newcomer', invitation: call.principal.id, name: call.body.user ?? null } as const;
    const { key, ...joined } = await this.run(new AcceptInvitation({ caller: callerOf(call), as }));
    return answer(201, { ...joined, api_key: key });
  }
}

function newInvitation({ invitation, token }: FreshInvitation): NewInvitation {
  const { id, email, role, name, invitedBy, createdAt, expiresAt } = invitation;
  return {
    id,
    email,
    role,
    user: name,
    invited_by: invitedBy,
    created_at: createdAt / 1_000,
    expires_at: expiresAt,
    token,
  };
}
