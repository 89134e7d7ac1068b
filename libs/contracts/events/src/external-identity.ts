import type { DomainEvent } from './event';

/**
 * Somebody signed in at an OpenID Connect provider for the first time and is a user from now on. The user and the personal organization follow
 * from this event.
 */
export type ExternalIdentityLinked = DomainEvent<
  'ExternalIdentityLinked',
  1,
  {
    readonly issuer: string;
    /** The issuer's own name for the person, which it never gives to another one. */
    readonly subject: string;
    /** Id of the user, who is new. */
    readonly user: string;
    readonly userName: string;
    /** An address that the issuer verified; empty where there is none. */
    readonly email: string;
  }
>;
export type ExternalIdentityEvent = ExternalIdentityLinked;
