import { may, routes } from '@assurance/contracts-http';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandsController } from '../commands';
import { callerOf } from '../core/caller';
import { PutEnvironment } from './put-environment';

@Controller()
export class EnvironmentsController extends CommandsController {
  @Route(routes.putEnvironment)
  async put(@TheCall() call: CallOf<typeof routes.putEnvironment>) {
    const { body } = call;
    return this.made(
      new PutEnvironment({
        caller: callerOf(call),
        input: {
          name: body.name,
          type: body.type,
          description: body.description ?? undefined,
          includeScaling: body.include_scaling ?? undefined,
          requireProvenance: body.require_provenance ?? undefined,
          includedEnvironments: body.included_environments ?? undefined,
        },
        mayUpdate: may(call.principal.role, 'environment.update'),
      }),
    );
  }
}
