import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { optionalPage } from '../catalogue/optional-page';
import { GetEnvironment, GetSnapshot, ListSnapshots } from './environments';

@Controller()
export class EnvironmentQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.getEnvironment)
  async get(@TheCall() call: CallOf<typeof routes.getEnvironment>) {
    return answer(200, unwrap(await this.queries.execute(new GetEnvironment(callerOf(call), call.params.env))));
  }

  @Route(routes.listSnapshots)
  async list(@TheCall() call: CallOf<typeof routes.listSnapshots>) {
    const { page, per_page, interval, reverse } = call.query;
    const query = new ListSnapshots(callerOf(call), call.params.env, { page, perPage: per_page }, interval, reverse);
    return answer(200, unwrap(await this.queries.execute(query)));
  }

  @Route(routes.getSnapshot)
  async snapshot(@TheCall() call: CallOf<typeof routes.getSnapshot>) {
    const { env, expr } = call.params;
    const { show, search } = call.query;
    const selection = { show, search, page: optionalPage(call.query, 50) };
    return answer(200, unwrap(await this.queries.execute(new GetSnapshot(callerOf(call), env, expr, selection))));
  }
}
