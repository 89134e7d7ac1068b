import { routes } from '@assurance/contracts-http';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { callerOf } from '../caller';
import { optionalPage, pageAsked, QueriesController } from '../queries';
import { DiffEnvironments, ListEnvironmentEvents } from './environment-events';

@Controller()
export class EnvironmentEventsController extends QueriesController {
  @Route(routes.listEnvironmentEvents)
  async list(@TheCall() call: CallOf<typeof routes.listEnvironmentEvents>) {
    const { interval, start, end, start_ts, end_ts, repo_name, reverse } = call.query;
    const range = { interval, start, end, startTs: start_ts, endTs: end_ts };
    return this.seen(
      new ListEnvironmentEvents({
        caller: callerOf(call),
        environment: call.params.env,
        page: pageAsked(call.query),
        range,
        repoNames: repo_name,
        oldestFirst: reverse,
      }),
    );
  }

  @Route(routes.diffEnvironments)
  async diff(@TheCall() call: CallOf<typeof routes.diffEnvironments>) {
    const { snappish1, snappish2 } = call.query;
    const page = optionalPage(call.query, 50);
    return this.found(new DiffEnvironments({ caller: callerOf(call), snappish1, snappish2, page }));
  }
}
