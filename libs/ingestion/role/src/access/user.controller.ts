import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { callerOf } from '../core/caller';
import { ChooseDefault } from './choose-default';

@Controller()
export class UserController {
  constructor(private readonly commands: CommandBus) {}

  @Route(routes.putDefaultOrganization)
  async choose(@TheCall() call: CallOf<typeof routes.putDefaultOrganization>) {
    const kind = call.principal.kind === 'service-account' ? 'service-account' : 'user';
    unwrap(await this.commands.execute(new ChooseDefault(callerOf(call), kind, call.params.org)));
    return answer(200, 'OK');
  }
}
