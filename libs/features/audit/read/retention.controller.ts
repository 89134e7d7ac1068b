import { routes } from '@assurance/contracts/http/routes/routes';
import { answer, type CallOf, RequestCall, Route } from '@assurance/http';
import { QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { GetRetention } from './retention';

@Controller()
export class RetentionQueriesController extends QueriesController {
  @Route(routes.getRetention)
  async get(@RequestCall() call: CallOf<typeof routes.getRetention>) {
    return answer(200, await this.queries.execute(new GetRetention({ caller: callerOf(call) })));
  }
}
