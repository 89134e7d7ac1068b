import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { GetControl, GetControlCoverage, ListControls } from './controls';

@Controller()
export class ControlQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.listControls)
  async list(@TheCall() call: CallOf<typeof routes.listControls>) {
    const { page, per_page, search, tag, archived, sort_direction } = call.query;
    const filter = { search, tags: tag, archived };
    return answer(
      200,
      await this.queries.execute(new ListControls(callerOf(call), filter, { page, perPage: per_page }, sort_direction)),
    );
  }

  @Route(routes.getControl)
  async get(@TheCall() call: CallOf<typeof routes.getControl>) {
    return answer(200, unwrap(await this.queries.execute(new GetControl(callerOf(call), call.params.control))));
  }

  @Route(routes.getControlCoverage)
  async coverage(@TheCall() call: CallOf<typeof routes.getControlCoverage>) {
    const { page, per_page, covered, name } = call.query;
    const filter = { name, covered: covered === 'all' ? null : covered === 'true' };
    const query = new GetControlCoverage(callerOf(call), call.params.control, filter, { page, perPage: per_page });
    return answer(200, unwrap(await this.queries.execute(query)));
  }
}
