import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { commandOf } from '@assurance/event-sourcing/message';
import { commandBy } from '@assurance/http/commands';
import type { Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AuthenticatedPerson, SignIns } from './sign-ins';

/** A person signed in at an OpenID Connect provider: the answer is the user of that person. Or the user `attachTo` attached the identity of that person. */
export class SignIn extends commandOf<
  {
    person: AuthenticatedPerson;
    correlation: string;
    attachTo?: string;
  },
  Result<{ readonly id: string; readonly name: string }, FeatureRefusal>
>() {}

@CommandHandler(SignIn)
export class SignInHandler implements ICommandHandler<SignIn> {
  constructor(private readonly signIns: SignIns) {}

  execute({ person, correlation, attachTo }: SignIn) {
    return attachTo === undefined
      ? this.signIns.signIn(person, correlation)
      : this.signIns.attach(person, attachTo, correlation);
  }
}

/** A user no longer signs in by an identity; its id is as lists of identities have it. */
export class DetachIdentity extends commandBy<{ id: string }>() {}

@CommandHandler(DetachIdentity)
export class DetachIdentityHandler implements ICommandHandler<DetachIdentity> {
  constructor(private readonly signIns: SignIns) {}

  execute({ caller: { actor, correlation }, id }: DetachIdentity): Promise<Result<null, FeatureRefusal>> {
    return this.signIns.detach(id, actor, correlation);
  }
}
