import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { GetFlow } from './flows';
import { GetRepo, ListRepos } from './repos';
import { behindHeader } from '../views/view';

@Controller()
export class FlowQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.getFlow)
  async get(@TheCall() call: CallOf<typeof routes.getFlow>) {
    const seen = unwrap(await this.queries.execute(new GetFlow(callerOf(call), call.params.flow)));
    return answer(200, seen.value, behindHeader(seen));
  }

  @Route(routes.listRepos)
  async repos(@TheCall() call: CallOf<typeof routes.listRepos>) {
    const { page, per_page, sort_direction, name, search, provider, tag, repo_id } = call.query;
    const filter = { name, search, provider, tags: tag, externalId: repo_id };
    return answer(
      200,
      await this.queries.execute(new ListRepos(callerOf(call), filter, { page, perPage: per_page }, sort_direction)),
    );
  }

  @Route(routes.getRepo)
  async repo(@TheCall() call: CallOf<typeof routes.getRepo>) {
    const { provider, id } = call.query;
    return answer(200, unwrap(await this.queries.execute(new GetRepo(callerOf(call), call.params.name, provider, id))));
  }
}
