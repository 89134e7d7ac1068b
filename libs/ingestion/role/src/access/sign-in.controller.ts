import { provedSignIn, routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { callerOf } from '../core/caller';
import { DetachIdentity, SignIn } from './sign-in';

@Controller()
export class SignInController {
  constructor(private readonly commands: CommandBus) {}

  @Route(provedSignIn)
  async proved(@TheCall() { body, correlation }: CallOf<typeof provedSignIn>) {
    const { issuer, subject, name, email, attach_to, ...roles } = body;
    const person = { issuer, subject, name, email, roles };
    return answer(200, unwrap(await this.commands.execute(new SignIn(person, correlation, attach_to ?? undefined))));
  }

  @Route(routes.detachIdentity)
  async detach(@TheCall() call: CallOf<typeof routes.detachIdentity>) {
    unwrap(await this.commands.execute(new DetachIdentity(callerOf(call), call.params.id)));
    return answer(200, 'OK');
  }
}
