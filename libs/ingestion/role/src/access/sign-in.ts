import type { Result } from '@assurance/kernel';
import type { FeatureRefusal } from '@assurance/model';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Proved, SignIns } from './sign-ins';

/** A person signed in at an OpenID Connect provider. The answer is the user of that person. */
export class SignIn extends Command<Result<{ readonly id: string; readonly name: string }, FeatureRefusal>> {
  constructor(
    readonly person: Proved,
    readonly correlation: string,
  ) {
    super();
  }
}

@CommandHandler(SignIn)
export class SignInHandler implements ICommandHandler<SignIn> {
  constructor(private readonly signIns: SignIns) {}

  execute({
    person,
    correlation,
  }: SignIn): Promise<Result<{ readonly id: string; readonly name: string }, FeatureRefusal>> {
    return this.signIns.signIn(person, correlation);
  }
}
