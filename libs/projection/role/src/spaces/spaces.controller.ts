import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { GetSpace, ListSpaces } from './spaces';

@Controller()
export class SpaceQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.listSpaces)
  async list(@TheCall() call: CallOf<typeof routes.listSpaces>) {
    const { page, per_page, parent_id, search, archived } = call.query;
    const query = new ListSpaces(callerOf(call), { parent: parent_id, search, archived }, { page, perPage: per_page });
    return answer(200, await this.queries.execute(query));
  }

  @Route(routes.getSpace)
  async get(@TheCall() call: CallOf<typeof routes.getSpace>) {
    return answer(200, unwrap(await this.queries.execute(new GetSpace(callerOf(call), call.params.space))));
  }
}
