import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, RefusalError, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueriesController } from '../queries';
import { GetDefaultOrganization, ListIdentities } from './user';

@Controller()
export class UserQueriesController extends QueriesController {
  @Route(routes.getDefaultOrganization)
  async get(@TheCall() { principal, org }: CallOf<typeof routes.getDefaultOrganization>) {
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
