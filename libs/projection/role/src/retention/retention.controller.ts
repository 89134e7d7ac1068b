import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { callerOf } from '../caller';
import { QueriesController } from '../queries';
import { GetRetention } from './retention';

@Controller()
export class RetentionQueriesController extends QueriesController {
  @Route(routes.getRetention)
  async get(@TheCall() call: CallOf<typeof routes.getRetention>) {
    return answer(200, await this.queries.execute(new GetRetention({ caller: callerOf(call) })));
  }
}
