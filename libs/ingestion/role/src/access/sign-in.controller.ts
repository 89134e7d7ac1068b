import { provedSignIn } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SignIn } from './sign-in';

@Controller()
export class SignInController {
  constructor(private readonly commands: CommandBus) {}

  @Route(provedSignIn)
  async proved(@TheCall() { body, correlation }: CallOf<typeof provedSignIn>) {
    const { issuer, subject, name, email, ...roles } = body;
    const person = { issuer, subject, name, email, roles };
    return answer(200, unwrap(await this.commands.execute(new SignIn(person, correlation))));
  }
}
