import { may } from '@assurance/contracts/http/roles';
import { routes } from '@assurance/contracts/http/routes/routes';
import { type CallOf, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import { PutEnvironment } from './put-environment';

@Controller()
export class EnvironmentsController extends CommandsController {
  @Route(routes.putEnvironment)
  async put(@RequestCall() call: CallOf<typeof routes.putEnvironment>) {
    const { body } = call;
    return this.answerMade(
      new PutEnvironment({
        caller: callerOf(call),
        input: {
          name: body.name,
          type: body.type,
          description: body.description ?? undefined,
          includeScaling: body.include_scaling ?? undefined,
          reportEvery: body.report_every ?? undefined,
          requireProvenance: body.require_provenance ?? undefined,
          includedEnvironments: body.included_environments ?? undefined,
          policies: body.policies ?? undefined,
        },
        mayUpdate: may(call.principal.role, 'environment.update'),
      }),
    );
  }
}
