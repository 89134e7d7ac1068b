import type { MembershipSource, Role } from '@assurance/contracts/access/events';
import { streams } from '@assurance/contracts/events/streams';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { err, ok } from '@assurance/kernel';
import { CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { membership } from '../domain/membership';
import { organization } from '../domain/organization';
import { type FreshInvitation, Invitations } from './invitations';
import { Memberships } from './memberships';

export type MemberChange =
  | {
      readonly kind: 'set';
      readonly role: Role;
      readonly source: MembershipSource | null;
      /** The address to invite if the user is not a member; null: the command refuses such a user. */
      readonly email: string | null;
    }
  | { readonly kind: 'remove' };

/** Changes the role of a member, removes a member, or invites a person who is not a member. The answer is the invitation; null for a member. */
export class ChangeMember extends commandBy<
  {
    /** Name of the user or service account that changes it. */
    changedBy: string;
    /** Name of the user whose membership changes. */
    user: string;
    change: MemberChange;
  },
  FreshInvitation | null
>() {}

@CommandHandler(ChangeMember)
export class ChangeMemberHandler implements ICommandHandler<ChangeMember> {
  constructor(
    private readonly streams: Streams,
    private readonly memberships: Memberships,
    private readonly invitations: Invitations,
  ) {}

  async execute({ caller, changedBy, user: name, change }: ChangeMember): Promise<CommandResult<ChangeMember>> {
    const { org } = caller;
    const place = await this.streams.states(organization).get(streams.organization(org.id));
    if (place?.personal === true) return err({ kind: 'organization-personal' });
    const user = await this.findMemberByName(org.id, name);
    if (user === null && change.kind === 'set') {
      if (change.email === null) return err({ kind: 'member-uninvited', name, org: org.name });
      return this.invitations.create(caller, changedBy, { email: change.email, role: change.role, name });
    }
    const unknownMember = err({ kind: 'member-unknown', name, org: org.name } as const);
    if (user === null) return unknownMember;
    const [role, source] = change.kind === 'set' ? [change.role, change.source ?? 'app'] : [null, 'app' as const];
    const to = { user, userName: name, source, changedBy, role, onlyMembers: true } as const;
    const changed = await this.memberships.change(org.id, to, commitAuthorOf(caller));
    if (!changed.ok) return changed;
    return changed.value === null ? unknownMember : ok(null);
  }

  /** The id of a member by name. Users outside the organization have no effect on the result. */
  private async findMemberByName(org: string, userName: string): Promise<string | null> {
    const results = await this.streams.states(membership).find({ where: { org, userName }, limit: 10 });
    return results.find(({ doc }) => doc.role !== null)?.doc.user ?? null;
  }
}
