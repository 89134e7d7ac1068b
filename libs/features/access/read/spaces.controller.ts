import { routes } from '@assurance/contracts/http/routes/routes';
import { type CallOf, RequestCall, Route } from '@assurance/http';
import { pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { GetSpace, ListSpaces } from './spaces';

@Controller()
export class SpaceQueriesController extends QueriesController {
  @Route(routes.listSpaces)
  async list(@RequestCall() call: CallOf<typeof routes.listSpaces>) {
    const { parent_id, search, archived } = call.query;
    return this.answerList(
      new ListSpaces({
        caller: callerOf(call),
        filter: { parent: parent_id, search, archived },
        page: pageRequestOf(call.query),
      }),
    );
  }

  @Route(routes.getSpace)
  async get(@RequestCall() call: CallOf<typeof routes.getSpace>) {
    return this.answerQuery(new GetSpace({ caller: callerOf(call), id: call.params.space }));
  }
}
