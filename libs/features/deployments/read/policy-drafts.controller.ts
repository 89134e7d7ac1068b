import { routes } from '@assurance/contracts/http/routes/routes';
import { type CallOf, RequestCall, Route } from '@assurance/http';
import { QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { JudgePolicyDraft } from './policy-draft';

/** Queries for the effects of policy drafts. */
@Controller()
export class PolicyDraftsController extends QueriesController {
  @Route(routes.judgePolicyDraft)
  async judge(@RequestCall() call: CallOf<typeof routes.judgePolicyDraft>) {
    const { policy_yaml: yaml, environments } = call.body;
    const caller = callerOf(call);
    return this.answerViewQuery(
      new JudgePolicyDraft({ caller, policy: call.params.policy, yaml, environments: environments ?? [] }),
    );
  }
}
