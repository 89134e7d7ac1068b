import { routes } from '@assurance/contracts-http';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { callerOf } from '../caller';
import { pageAsked, QueriesController } from '../queries';
import { AssertArtifact } from './assert';
import { GetPolicy, ListAllowed, ListPolicies } from './policies';

@Controller()
export class PolicyQueriesController extends QueriesController {
  @Route(routes.listPolicies)
  async list(@TheCall() call: CallOf<typeof routes.listPolicies>) {
    return this.listed(new ListPolicies({ caller: callerOf(call) }));
  }

  @Route(routes.getPolicy)
  async get(@TheCall() call: CallOf<typeof routes.getPolicy>) {
    return this.found(new GetPolicy({ caller: callerOf(call), name: call.params.policy }));
  }

  @Route(routes.listAllowed)
  async allowed(@TheCall() call: CallOf<typeof routes.listAllowed>) {
    return this.found(
      new ListAllowed({ caller: callerOf(call), environment: call.params.env, page: pageAsked(call.query) }),
    );
  }

  @Route(routes.assertArtifact)
  async assert(@TheCall() call: CallOf<typeof routes.assertArtifact>) {
    const { flow_name: flow, environment_name: environment, policy_name: policies } = call.query;
    return this.found(
      new AssertArtifact({
        caller: callerOf(call),
        fingerprint: call.params.fingerprint,
        by: { flow, environment, policies },
      }),
    );
  }
}
