import { provedSignIn, routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandsController } from '../commands';
import { callerOf } from '../core/caller';
import { DetachIdentity, SignIn } from './sign-in';
import { ChooseDefault } from './choose-default';

/** How users sign in, and in which organization they work. */
@Controller()
export class UserController extends CommandsController {
  @Route(provedSignIn)
  async proved(@TheCall() { body, correlation }: CallOf<typeof provedSignIn>) {
    const { issuer, subject, name, email, attach_to, ...roles } = body;
    const person = { issuer, subject, name, email, roles };
    return answer(200, await this.run(new SignIn({ person, correlation, attachTo: attach_to ?? undefined })));
  }

  @Route(routes.detachIdentity)
  async detach(@TheCall() call: CallOf<typeof routes.detachIdentity>) {
    return this.ok(new DetachIdentity({ caller: callerOf(call), id: call.params.id }));
  }

  @Route(routes.putDefaultOrganization)
  async choose(@TheCall() call: CallOf<typeof routes.putDefaultOrganization>) {
    const kind = call.principal.kind === 'service-account' ? 'service-account' : 'user';
    return this.ok(new ChooseDefault({ caller: callerOf(call), kind, organization: call.params.org }));
  }
}
