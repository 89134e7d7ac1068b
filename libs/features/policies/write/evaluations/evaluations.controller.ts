import { routes } from '@assurance/contracts/http/routes/routes';
import type { Evaluation } from '@assurance/contracts/policies/documents';
import { answer, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import { bundleProblem } from '../../domain/evaluation/bundle-files';
import { EnableEvaluations, RequestEvaluation } from './request-evaluation';

/** Evaluations of policies in Rego. */
@Controller()
export class EvaluationsController extends CommandsController {
  @Route(routes.postEvaluation)
  async evaluate(@RequestCall() call: CallOf<typeof routes.postEvaluation>) {
    const { context, policy, params, decision } = call.body;
    if (decision != null) refuse('decision', 'Decisions are not supported yet');
    const { files, identifier } = policy;
    if ((files == null) === (identifier == null)) refuse('policy', 'Input should have either files or an identifier');
    const problem = files == null ? null : bundleProblem(files);
    if (problem !== null) refuse(`policy.${problem[0]}`, problem[1]);
    const { id, status, requestedAt, recordedAt } = await this.run<Evaluation>(
      new RequestEvaluation({
        caller: callerOf(call),
        trails: context.trails,
        policy: files == null ? { identifier: identifier ?? '' } : { files },
        params,
      }),
    );
    return answer(201, { id, status, requested_at: requestedAt / 1_000, recorded_at: recordedAt / 1_000 });
  }

  @Route(routes.putEvaluations)
  async enable(@RequestCall() call: CallOf<typeof routes.putEvaluations>) {
    return this.ok(new EnableEvaluations({ caller: callerOf(call), enabled: call.body.enabled }));
  }
}

function refuse(field: string, problem: string): never {
  throw new RefusalError({ kind: 'invalid', errors: { [field]: problem } });
}
