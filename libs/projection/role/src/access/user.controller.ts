import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetDefaultOrganization } from './user';

@Controller()
export class UserQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.getDefaultOrganization)
  async get(@TheCall() { principal, org }: CallOf<typeof routes.getDefaultOrganization>) {
    const name =
      principal.kind === 'service-account'
        ? org.name
        : await this.queries.execute(new GetDefaultOrganization(principal.id));
    return answer(200, { default_org_name: name });
  }
}
