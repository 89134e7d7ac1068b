import type { Result } from '@assurance/kernel';
import type { FeatureRefusal } from '@assurance/model';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../core/caller';
import { type Proved, SignIns } from './sign-ins';

/** A person signed in at an OpenID Connect provider: the answer is the user of that person. Or a user attached the identity of that person. */
export class SignIn extends Command<Result<{ readonly id: string; readonly name: string }, FeatureRefusal>> {
  constructor(
    readonly person: Proved,
    readonly correlation: string,
    /** Id of the user who attaches the identity; absent for signing in. */
    readonly attachTo?: string,
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
    attachTo,
  }: SignIn): Promise<Result<{ readonly id: string; readonly name: string }, FeatureRefusal>> {
    return attachTo === undefined
      ? this.signIns.signIn(person, correlation)
      : this.signIns.attach(person, attachTo, correlation);
  }
}

/** A user no longer signs in by an identity. */
export class DetachIdentity extends Command<Result<null, FeatureRefusal>> {
  constructor(
    readonly caller: Caller,
    /** As lists of identities have it. */
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(DetachIdentity)
export class DetachIdentityHandler implements ICommandHandler<DetachIdentity> {
  constructor(private readonly signIns: SignIns) {}

  execute({ caller: { actor, correlation }, id }: DetachIdentity): Promise<Result<null, FeatureRefusal>> {
    return this.signIns.detach(id, actor, correlation);
  }
}
