import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { AssertArtifact } from './assert';
import { GetPolicy, ListAllowed, ListPolicies } from './policies';

@Controller()
export class PolicyQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.listPolicies)
  async list(@TheCall() call: CallOf<typeof routes.listPolicies>) {
    return answer(200, await this.queries.execute(new ListPolicies(callerOf(call))));
  }

  @Route(routes.getPolicy)
  async get(@TheCall() call: CallOf<typeof routes.getPolicy>) {
    return answer(200, unwrap(await this.queries.execute(new GetPolicy(callerOf(call), call.params.policy))));
  }

  @Route(routes.listAllowed)
  async allowed(@TheCall() call: CallOf<typeof routes.listAllowed>) {
    const page = { page: call.query.page, perPage: call.query.per_page };
    return answer(200, unwrap(await this.queries.execute(new ListAllowed(callerOf(call), call.params.env, page))));
  }

  @Route(routes.assertArtifact)
  async assert(@TheCall() call: CallOf<typeof routes.assertArtifact>) {
    const { flow_name: flow, environment_name: environment, policy_name: policies } = call.query;
    const query = new AssertArtifact(callerOf(call), call.params.fingerprint, { flow, environment, policies });
    return answer(200, unwrap(await this.queries.execute(query)));
  }
}
