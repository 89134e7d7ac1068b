import { routes } from '@assurance/contracts-http';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { callerOf } from '../caller';
import { pageAsked, QueriesController } from '../queries';
import { GetFlow } from './flows';
import { GetRepo, ListRepos } from './repos';

@Controller()
export class FlowQueriesController extends QueriesController {
  @Route(routes.getFlow)
  async get(@TheCall() call: CallOf<typeof routes.getFlow>) {
    return this.seen(new GetFlow({ caller: callerOf(call), name: call.params.flow }));
  }

  @Route(routes.listRepos)
  async repos(@TheCall() call: CallOf<typeof routes.listRepos>) {
    const { sort_direction, name, search, provider, tag, repo_id } = call.query;
    const filter = { name, search, provider, tags: tag, externalId: repo_id };
    return this.listed(
      new ListRepos({ caller: callerOf(call), filter, page: pageAsked(call.query), direction: sort_direction }),
    );
  }

  @Route(routes.getRepo)
  async repo(@TheCall() call: CallOf<typeof routes.getRepo>) {
    const { provider, id } = call.query;
    return this.found(new GetRepo({ caller: callerOf(call), name: call.params.name, provider, id }));
  }
}
