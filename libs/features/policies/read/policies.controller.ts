import { routes } from '@assurance/contracts/http/routes/routes';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { pageAsked, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { GetControl, GetControlCoverage, ListControls } from './controls';
import { GetPolicy, ListPolicies } from './policies';

/** Policies and controls. */
@Controller()
export class PolicyQueriesController extends QueriesController {
  @Route(routes.listPolicies)
  async policies(@TheCall() call: CallOf<typeof routes.listPolicies>) {
    return this.listed(new ListPolicies({ caller: callerOf(call) }));
  }

  @Route(routes.getPolicy)
  async policy(@TheCall() call: CallOf<typeof routes.getPolicy>) {
    return this.found(new GetPolicy({ caller: callerOf(call), name: call.params.policy }));
  }

  @Route(routes.listControls)
  async controls(@TheCall() call: CallOf<typeof routes.listControls>) {
    const { search, tag, archived, sort_direction } = call.query;
    const filter = { search, tags: tag, archived };
    const page = pageAsked(call.query);
    const query = new ListControls({ caller: callerOf(call), filter, page, direction: sort_direction });
    return this.linked(routes.listControls, call, query);
  }

  @Route(routes.getControl)
  async control(@TheCall() call: CallOf<typeof routes.getControl>) {
    return this.found(new GetControl({ caller: callerOf(call), identifier: call.params.control }));
  }

  @Route(routes.getControlCoverage)
  async coverage(@TheCall() call: CallOf<typeof routes.getControlCoverage>) {
    const { covered, name } = call.query;
    return this.found(
      new GetControlCoverage({
        caller: callerOf(call),
        identifier: call.params.control,
        filter: { covered, name },
        page: pageAsked(call.query),
      }),
    );
  }
}
