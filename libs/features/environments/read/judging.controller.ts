import { routes } from '@assurance/contracts/http/routes/routes';
import { answer, type CallOf, type Refusal, refusalAnswer, RequestCall, Route, unwrap } from '@assurance/http';
import { pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { ListAllAllowedArtifacts, ListAllowedArtifacts } from './allowed';
import { AssertArtifact } from './assert';
import { verdictHeader, verdictWord } from './verdict-header';

/** What is allowed in environments, and whether an artifact may run in one. */
@Controller()
export class JudgingQueriesController extends QueriesController {
  @Route(routes.listAllowed)
  async listAllowed(@RequestCall() call: CallOf<typeof routes.listAllowed>) {
    const { page, ends } = await this.runQuery(
      new ListAllowedArtifacts({
        caller: callerOf(call),
        environment: call.params.env,
        page: pageRequestOf(call.query),
      }),
    );
    return answer(200, page, this.linkHeader(routes.listAllowed, call, ends));
  }

  @Route(routes.listAllAllowed)
  async listAllAllowed(@RequestCall() call: CallOf<typeof routes.listAllAllowed>) {
    const { entries, count } = await this.queries.execute(new ListAllAllowedArtifacts({ caller: callerOf(call) }));
    return answer(200, entries, count > entries.length ? { 'x-total-count': String(count) } : {});
  }

  @Route(routes.assertArtifact)
  async assert(@RequestCall() call: CallOf<typeof routes.assertArtifact>) {
    const { flow_name: flow, environment_name: environment, policy_name: policies } = call.query;
    const by = { flow, environment, policies };
    const { fingerprint } = call.params;
    const result = await this.queries.execute(new AssertArtifact({ caller: callerOf(call), fingerprint, by }));
    if (!result.ok && isUnrecorded(result.refusal)) {
      const { status, body } = refusalAnswer(result.refusal, routes.assertArtifact);
      return answer(status, body, { 'x-assurance-verdict': verdictHeader('not-recorded', fingerprint, by) });
    }
    const assertion = unwrap(result);
    return answer(200, assertion, { 'x-assurance-verdict': verdictHeader(verdictWord(assertion), fingerprint, by) });
  }
}

/** Whether all that was named exists, and nobody recorded the artifact. Gates tell this 404 from others by its header. */
const isUnrecorded = ({ kind }: Refusal) => kind === 'fingerprint-unknown' || kind === 'artifact-unknown';
