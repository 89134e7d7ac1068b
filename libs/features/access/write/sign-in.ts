import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { commandOf } from '@assurance/event-sourcing/message';
import { commandBy } from '@assurance/http/commands';
import type { Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AuthenticatedPerson, SignIns } from './sign-ins';

/**
 * Signs in a person whom an OpenID Connect provider authenticated. With `attachTo`, attaches the person's identity to that user instead. The answer
 * is the user.
 */
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

/** Detaches an identity from the caller. Its id is the one in lists of identities. */
export class DetachIdentity extends commandBy<{ id: string }>() {}

@CommandHandler(DetachIdentity)
export class DetachIdentityHandler implements ICommandHandler<DetachIdentity> {
  constructor(private readonly signIns: SignIns) {}

  execute({ caller: { actor, correlation }, id }: DetachIdentity): Promise<Result<null, FeatureRefusal>> {
    return this.signIns.detach(id, actor, correlation);
  }
}
