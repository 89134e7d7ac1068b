import { routes } from '@assurance/contracts-http';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { callerOf } from '../caller';
import { pageAsked, QueriesController } from '../queries';
import { GetControl, GetControlCoverage, ListControls } from './controls';

@Controller()
export class ControlQueriesController extends QueriesController {
  @Route(routes.listControls)
  async list(@TheCall() call: CallOf<typeof routes.listControls>) {
    const { search, tag, archived, sort_direction } = call.query;
    const filter = { search, tags: tag, archived };
    return this.listed(
      new ListControls({ caller: callerOf(call), filter, page: pageAsked(call.query), direction: sort_direction }),
    );
  }

  @Route(routes.getControl)
  async get(@TheCall() call: CallOf<typeof routes.getControl>) {
    return this.found(new GetControl({ caller: callerOf(call), identifier: call.params.control }));
  }

  @Route(routes.getControlCoverage)
  async coverage(@TheCall() call: CallOf<typeof routes.getControlCoverage>) {
    const { covered, name } = call.query;
    const filter = { name, covered: covered === 'all' ? null : covered === 'true' };
    return this.found(
      new GetControlCoverage({
        caller: callerOf(call),
        identifier: call.params.control,
        filter,
        page: pageAsked(call.query),
      }),
    );
  }
}
