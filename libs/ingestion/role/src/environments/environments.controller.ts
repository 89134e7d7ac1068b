import { may, routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { callerOf } from '../core/caller';
import { PutEnvironment } from './put-environment';

@Controller()
export class EnvironmentsController {
  constructor(private readonly commands: CommandBus) {}

  @Route(routes.putEnvironment)
  async put(@TheCall() call: CallOf<typeof routes.putEnvironment>) {
    const { body } = call;
    const done = await this.commands.execute(
      new PutEnvironment(
        callerOf(call),
        {
          name: body.name,
          type: body.type,
          description: body.description ?? undefined,
          includeScaling: body.include_scaling ?? undefined,
          requireProvenance: body.require_provenance ?? undefined,
          includedEnvironments: body.included_environments ?? undefined,
        },
        may(call.principal.role, 'environment.update'),
      ),
    );
    return answer(unwrap(done) === 'made' ? 201 : 200, 'OK');
  }
}
