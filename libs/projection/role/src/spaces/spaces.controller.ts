import { routes } from '@assurance/contracts-http';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { callerOf } from '../caller';
import { pageAsked, QueriesController } from '../queries';
import { GetSpace, ListSpaces } from './spaces';

@Controller()
export class SpaceQueriesController extends QueriesController {
  @Route(routes.listSpaces)
  async list(@TheCall() call: CallOf<typeof routes.listSpaces>) {
    const { parent_id, search, archived } = call.query;
    return this.listed(
      new ListSpaces({
        caller: callerOf(call),
        filter: { parent: parent_id, search, archived },
        page: pageAsked(call.query),
      }),
    );
  }

  @Route(routes.getSpace)
  async get(@TheCall() call: CallOf<typeof routes.getSpace>) {
    return this.found(new GetSpace({ caller: callerOf(call), id: call.params.space }));
  }
}
