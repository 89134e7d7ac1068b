import { routes } from '@assurance/contracts/http/routes/routes';
import { answer, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { millisecondsBetween, pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { GetOrganization } from './organization';
import { ListInvitations, ListMembers, ListMembershipEvents } from './members';
import { GetServiceAccount, ListServiceAccounts, ListUserKeys } from './service-accounts';
import { GetDefaultOrganization, ListIdentities } from './user';

/** Queries about access in an organization: members, service accounts, keys and the membership log. Also queries of a user about itself. */
@Controller()
export class AccessQueriesController extends QueriesController {
  @Route(routes.getOrganization)
  async organization(@RequestCall() call: CallOf<typeof routes.getOrganization>) {
    return answer(200, await this.queries.execute(new GetOrganization({ caller: callerOf(call) })));
  }

  @Route(routes.listMembers)
  async members(@RequestCall() call: CallOf<typeof routes.listMembers>) {
    return this.answerList(new ListMembers({ caller: callerOf(call), page: pageRequestOf(call.query) }));
  }

  @Route(routes.listInvitations)
  async invitations(@RequestCall() call: CallOf<typeof routes.listInvitations>) {
    return this.answerList(new ListInvitations({ caller: callerOf(call), page: pageRequestOf(call.query) }));
  }

  @Route(routes.listMembershipEvents)
  async log(@RequestCall() call: CallOf<typeof routes.listMembershipEvents>) {
    const { search, role, source } = call.query;
    const event_type = call.query.event_type.length > 0 ? call.query.event_type : call.query.type;
    const from_timestamp = call.query.from_timestamp ?? call.query.from;
    const to_timestamp = call.query.to_timestamp ?? call.query.to;
    const sort_by = call.query.sort_by ?? call.query.sort ?? 'when';
    const sort_dir = call.query.sort_dir ?? call.query.sort_direction ?? 'desc';
    const field = call.query.from_timestamp === null ? 'from' : 'from_timestamp';
    const filter = {
      search: search ?? '',
      types: event_type,
      roles: role,
      sources: source,
      ...millisecondsBetween(from_timestamp, to_timestamp, field),
      sort: sort_by,
      direction: sort_dir,
    };
    const query = { search, event_type, role, source, from_timestamp, to_timestamp, sort_by, sort_dir };
    return this.answerView(
      new ListMembershipEvents({ caller: callerOf(call), filter, page: pageRequestOf(call.query), parameters: query }),
    );
  }

  @Route(routes.listServiceAccounts)
  async accounts(@RequestCall() call: CallOf<typeof routes.listServiceAccounts>) {
    return this.answerList(new ListServiceAccounts({ caller: callerOf(call), principal: call.principal }));
  }

  @Route(routes.getServiceAccount)
  async account(@RequestCall() call: CallOf<typeof routes.getServiceAccount>) {
    return answer(200, (await this.serviceAccount(call)).account);
  }

  @Route(routes.listServiceAccountKeys)
  async keys(@RequestCall() call: CallOf<typeof routes.listServiceAccountKeys>) {
    return answer(200, (await this.serviceAccount(call)).keys);
  }

  @Route(routes.getServiceAccountKey)
  async key(@RequestCall() call: CallOf<typeof routes.getServiceAccountKey>) {
    const key = (await this.serviceAccount(call)).keys.find(({ id }) => id === call.params.id);
    if (key === undefined) throw new RefusalError({ kind: 'key-unknown' });
    return answer(200, key);
  }

  @Route(routes.listUserKeys)
  async ownKeys(@RequestCall() { principal }: CallOf<typeof routes.listUserKeys>) {
    if (principal.kind !== 'user') throw new RefusalError({ kind: 'forbidden' });
    return this.answerList(new ListUserKeys({ userId: principal.id }));
  }

  private serviceAccount(call: CallOf<typeof routes.getServiceAccount>) {
    return this.runQuery(
      new GetServiceAccount({ caller: callerOf(call), principal: call.principal, name: call.params.name }),
    );
  }

  @Route(routes.getDefaultOrganization)
  async defaultOrganization(@RequestCall() { principal, org }: CallOf<typeof routes.getDefaultOrganization>) {
    const name =
      principal.kind === 'service-account'
        ? org.name
        : await this.queries.execute(new GetDefaultOrganization({ userId: principal.id }));
    return answer(200, { default_org_name: name });
  }

  @Route(routes.listIdentities)
  async identities(@RequestCall() { principal }: CallOf<typeof routes.listIdentities>) {
    if (principal.kind !== 'user') throw new RefusalError({ kind: 'forbidden' });
    return this.answerList(new ListIdentities({ userId: principal.id }));
  }
}
