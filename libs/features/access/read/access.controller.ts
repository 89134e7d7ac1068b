import { routes } from '@assurance/contracts/http/routes/routes';
import { behindHeader } from '@assurance/event-sourcing/projection/views';
import { answer, type CallOf, RefusalError, Route, TheCall } from '@assurance/http';
import { pageAsked, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { ListInvitations, ListMembers, ListMembershipEvents } from './members';
import { GetServiceAccount, ListServiceAccounts, ListUserKeys } from './service-accounts';
import { GetDefaultOrganization, ListIdentities } from './user';

/** Who may do what in an organization: members, service accounts, keys, and how memberships came about; and what a user asks about itself. */
@Controller()
export class AccessQueriesController extends QueriesController {
  @Route(routes.listMembers)
  async members(@TheCall() call: CallOf<typeof routes.listMembers>) {
    return this.listed(new ListMembers({ caller: callerOf(call), page: pageAsked(call.query) }));
  }

  @Route(routes.listInvitations)
  async invitations(@TheCall() call: CallOf<typeof routes.listInvitations>) {
    return this.listed(new ListInvitations({ caller: callerOf(call), page: pageAsked(call.query) }));
  }

  @Route(routes.listMembershipEvents)
  async log(@TheCall() call: CallOf<typeof routes.listMembershipEvents>) {
    const { search, type, role, source, from, to, sort, sort_direction } = call.query;
    if (from !== null && to !== null && from > to) {
      throw new RefusalError({
        kind: 'invalid',
        errors: { from: `The window starts at ${from}, after its end ${to}` },
      });
    }
    const filter = {
      search: search ?? '',
      types: type,
      roles: role,
      sources: source,
      from: from === null ? null : Math.ceil(from * 1_000),
      to: to === null ? null : Math.floor(to * 1_000),
      sort,
      direction: sort_direction,
    };
    const asked = { search, type, role, source, from, to, sort, sort_direction };
    const seen = await this.queries.execute(
      new ListMembershipEvents({ caller: callerOf(call), filter, page: pageAsked(call.query), asked }),
    );
    return answer(200, seen.value, behindHeader(seen));
  }

  @Route(routes.listServiceAccounts)
  async accounts(@TheCall() call: CallOf<typeof routes.listServiceAccounts>) {
    return this.listed(new ListServiceAccounts({ caller: callerOf(call), principal: call.principal }));
  }

  @Route(routes.getServiceAccount)
  async account(@TheCall() call: CallOf<typeof routes.getServiceAccount>) {
    return answer(200, (await this.serviceAccount(call)).account);
  }

  @Route(routes.listServiceAccountKeys)
  async keys(@TheCall() call: CallOf<typeof routes.listServiceAccountKeys>) {
    return answer(200, (await this.serviceAccount(call)).keys);
  }

  @Route(routes.getServiceAccountKey)
  async key(@TheCall() call: CallOf<typeof routes.getServiceAccountKey>) {
    const key = (await this.serviceAccount(call)).keys.find(({ id }) => id === call.params.id);
    if (key === undefined) throw new RefusalError({ kind: 'key-unknown' });
    return answer(200, key);
  }

  @Route(routes.listUserKeys)
  async ownKeys(@TheCall() { principal }: CallOf<typeof routes.listUserKeys>) {
    if (principal.kind !== 'user') throw new RefusalError({ kind: 'forbidden' });
    return this.listed(new ListUserKeys({ userId: principal.id }));
  }

  private serviceAccount(call: CallOf<typeof routes.getServiceAccount>) {
    return this.ask(
      new GetServiceAccount({ caller: callerOf(call), principal: call.principal, name: call.params.name }),
    );
  }

  @Route(routes.getDefaultOrganization)
  async defaultOrganization(@TheCall() { principal, org }: CallOf<typeof routes.getDefaultOrganization>) {
    const name =
      principal.kind === 'service-account'
        ? org.name
        : await this.queries.execute(new GetDefaultOrganization({ userId: principal.id }));
    return answer(200, { default_org_name: name });
  }

  @Route(routes.listIdentities)
  async identities(@TheCall() { principal }: CallOf<typeof routes.listIdentities>) {
    if (principal.kind !== 'user') throw new RefusalError({ kind: 'forbidden' });
    return this.listed(new ListIdentities({ userId: principal.id }));
  }
}
