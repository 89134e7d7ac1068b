import type { InvitationAnswer, MemberAnswer, MembershipPage } from '@assurance/contracts/access/answers/access';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import {
  linkedPage,
  type ListParameters,
  pageOf,
  type PageRequest,
} from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import { queryBy, ReadingHandler, ViewHandler } from '@assurance/http/queries';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Invitation, invitation } from '../domain/invitation';
import { membership, type Membership } from '../domain/membership';
import { user } from '../domain/user';
import { membershipLogView } from './membership-log/follow';
import { listMembershipEvents, membershipEventAnswer, type MembershipFilter } from './membership-log/list';

/** One page of the members of an organization, by name. */
export class ListMembers extends queryBy<{ page: PageRequest }, MemberAnswer[]>() {}

@QueryHandler(ListMembers)
export class ListMembersHandler extends ReadingHandler implements IQueryHandler<ListMembers> {
  async execute({ caller: { org }, page }: ListMembers): Promise<MemberAnswer[]> {
    const { documents } = this.ports;
    const { documents: memberships } = await pageOf<Membership>(
      documents.collection(membership.states),
      { where: { org: org.id }, order: orderBy('userName'), matches: ({ role }) => role !== null },
      page,
    );
    const ids = memberships.map(({ doc }) => streams.user(doc.user));
    const users = await documents.collection(user.states).getMany(ids);
    return memberships.flatMap(({ doc }) => {
      const email = users.get(streams.user(doc.user))?.email ?? '';
      return doc.role === null ? [] : [{ user: doc.userName, email, role: doc.role }];
    });
  }
}

/** One page of the open invitations of an organization, by address. */
export class ListInvitations extends queryBy<{ page: PageRequest }, InvitationAnswer[]>() {}

@QueryHandler(ListInvitations)
export class ListInvitationsHandler extends ReadingHandler implements IQueryHandler<ListInvitations> {
  async execute({ caller: { org }, page }: ListInvitations): Promise<InvitationAnswer[]> {
    const { documents } = await pageOf<Invitation>(
      this.ports.documents.collection(invitation.states),
      { where: { org: org.id, status: 'open' }, order: orderBy('email'), matches: null },
      page,
    );
    return documents.map(({ doc: { id, email, role, name, invitedBy, createdAt, expiresAt } }) => ({
      id,
      email,
      role,
      user: name,
      invited_by: invitedBy,
      created_at: createdAt / 1_000,
      expires_at: expiresAt,
    }));
  }
}

/** One page of the changes of memberships (specification 4.4). `asked` are the parameters of the request, for links to other pages. */
export class ListMembershipEvents extends queryBy<
  { filter: Omit<MembershipFilter, 'org'>; page: PageRequest; parameters: ListParameters },
  ViewAnswer<MembershipPage>
>() {}

@QueryHandler(ListMembershipEvents)
export class ListMembershipEventsHandler extends ViewHandler implements IQueryHandler<ListMembershipEvents> {
  async execute({ caller, filter, page, parameters }: ListMembershipEvents): Promise<ViewAnswer<MembershipPage>> {
    const { value, behind } = await this.views.read(membershipLogView, caller, (documents) =>
      listMembershipEvents(documents, { ...filter, org: caller.org.id }, page),
    );
    const address = `${this.settings.publicUrl}/api/v2/membership-audit-log/${encodeURIComponent(caller.org.name)}`;
    return {
      behind,
      value: {
        ...linkedPage(address, parameters, page, value),
        events: value.rows.map(membershipEventAnswer),
      },
    };
  }
}
