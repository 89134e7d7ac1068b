import { routes } from '@assurance/contracts-http';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandsController } from '../commands';
import { callerOf } from '../core/caller';
import { ChooseDefault } from './choose-default';

@Controller()
export class UserController extends CommandsController {
  @Route(routes.putDefaultOrganization)
  async choose(@TheCall() call: CallOf<typeof routes.putDefaultOrganization>) {
    const kind = call.principal.kind === 'service-account' ? 'service-account' : 'user';
    return this.ok(new ChooseDefault({ caller: callerOf(call), kind, organization: call.params.org }));
  }
}
