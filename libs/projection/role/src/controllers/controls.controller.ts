import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { askerOf } from '../asker';
import { GetControl, GetControlCoverage, ListControls } from '../queries/controls';

@Controller()
export class ControlQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.listControls)
  async list(@TheCall() call: CallOf<typeof routes.listControls>) {
    const { page, per_page, search, tag, archived, sort_direction } = call.query;
    const filter = { search, tags: tag, archived };
    return answer(
      200,
      await this.queries.execute(new ListControls(askerOf(call), filter, { page, perPage: per_page }, sort_direction)),
    );
  }

  @Route(routes.getControl)
  async get(@TheCall() call: CallOf<typeof routes.getControl>) {
    return answer(200, unwrap(await this.queries.execute(new GetControl(askerOf(call), call.params.control))));
  }

  @Route(routes.getControlCoverage)
  async coverage(@TheCall() call: CallOf<typeof routes.getControlCoverage>) {
    const { page, per_page, covered, name } = call.query;
    const filter = { name, covered: covered === 'all' ? null : covered === 'true' };
    const query = new GetControlCoverage(askerOf(call), call.params.control, filter, { page, perPage: per_page });
    return answer(200, unwrap(await this.queries.execute(query)));
  }
}
