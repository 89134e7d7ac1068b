import type { DomainEvent } from './event';

/** The first sign-in of an identity of an OpenID Connect provider. User and personal organization follow from it. */
export interface ExternalIdentityLinked extends DomainEvent<'ExternalIdentityLinked', 1> {
  readonly data: {
    readonly issuer: string;
    /** The issuer's own name for the person, which it never gives to another one. */
    readonly subject: string;
    /** Id of the user, who is new. */
    readonly user: string;
    readonly userName: string;
    /** An address that the issuer verified; empty where there is none. */
    readonly email: string;
  };
}

/** A user who was there before also signs in by this identity from now on. */
export type ExternalIdentityAttached = DomainEvent<'ExternalIdentityAttached', 1, ExternalIdentityLinked['data']>;

/** The user no longer signs in by this identity. Whoever signs in by it next is somebody new. */
export interface ExternalIdentityDetached extends DomainEvent<'ExternalIdentityDetached', 1> {
  readonly data: { /** Id of the user. */ readonly user: string };
}

export type ExternalIdentityEvent = ExternalIdentityLinked | ExternalIdentityAttached | ExternalIdentityDetached;
