import { provedSignIn } from '@assurance/contracts/access/proved-sign-in';
import { routes } from '@assurance/contracts/http/routes/routes';
import { answer, type CallOf, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import { ChooseDefault } from './choose-default';
import { DetachIdentity, SignIn } from './sign-in';

/** Sign-in and default organization of users. */
@Controller()
export class UserController extends CommandsController {
  @Route(provedSignIn)
  async proveSignIn(@RequestCall() { body, correlation }: CallOf<typeof provedSignIn>) {
    const { issuer, subject, name, email, groups_unknown, attach_to, ...roles } = body;
    const person = { issuer, subject, name, email, roles, groupsUnknown: groups_unknown === true };
    return answer(200, await this.run(new SignIn({ person, correlation, attachTo: attach_to ?? undefined })));
  }

  @Route(routes.detachIdentity)
  async detach(@RequestCall() call: CallOf<typeof routes.detachIdentity>) {
    return this.ok(new DetachIdentity({ caller: callerOf(call), id: call.params.id }));
  }

  @Route(routes.putDefaultOrganization)
  async choose(@RequestCall() call: CallOf<typeof routes.putDefaultOrganization>) {
    const kind = call.principal.kind === 'service-account' ? 'service-account' : 'user';
    return this.ok(new ChooseDefault({ caller: callerOf(call), kind, organization: call.params.org }));
  }
}
