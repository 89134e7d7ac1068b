import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { GetRetention } from './retention';

@Controller()
export class RetentionQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.getRetention)
  async get(@TheCall() call: CallOf<typeof routes.getRetention>) {
    return answer(200, await this.queries.execute(new GetRetention(callerOf(call))));
  }
}
