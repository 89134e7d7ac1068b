import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { optionalPage } from '../catalogue/optional-page';
import { DiffEnvironments, ListEnvironmentEvents } from './environment-events';
import { behindHeader } from '../views/view';

@Controller()
export class EnvironmentEventsController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.listEnvironmentEvents)
  async list(@TheCall() call: CallOf<typeof routes.listEnvironmentEvents>) {
    const { page, per_page, interval, start, end, start_ts, end_ts, repo_name, reverse } = call.query;
    const range = { interval, start, end, startTs: start_ts, endTs: end_ts };
    const pageAsked = { page, perPage: per_page };
    const query = new ListEnvironmentEvents(callerOf(call), call.params.env, pageAsked, range, repo_name, reverse);
    const seen = unwrap(await this.queries.execute(query));
    return answer(200, seen.value, behindHeader(seen));
  }

  @Route(routes.diffEnvironments)
  async diff(@TheCall() call: CallOf<typeof routes.diffEnvironments>) {
    const { snappish1, snappish2 } = call.query;
    const page = optionalPage(call.query, 50);
    const query = new DiffEnvironments(callerOf(call), snappish1, snappish2, page);
    return answer(200, unwrap(await this.queries.execute(query)));
  }
}
