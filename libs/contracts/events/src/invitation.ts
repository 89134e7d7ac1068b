import type { ApiKey, Role } from './access';
import type { DomainEvent } from './event';

/** Somebody with this address was invited. It takes the place of an earlier invitation of the address that is still open. */
export interface MemberInvited extends DomainEvent<'MemberInvited', 1> {
  readonly data: {
    /** Of this invitation; an address may be invited again. */
    readonly id: string;
    readonly email: string;
    readonly role: Role;
    /** A name for who becomes a user, where one was suggested. */
    readonly name?: string;
    /** SHA-256 of the token's UTF-8 bytes. */
    readonly tokenHash: string;
    /** Epoch seconds. */
    readonly expiresAt: number;
    /** Name of who invited. */
    readonly invitedBy: string;
  };
}
/** The token is used up. The user, with the first key where they are new, and the membership follow from this event. */
export interface InvitationAccepted extends DomainEvent<'InvitationAccepted', 1> {
  readonly data: {
    readonly id: string;
    /** Id of the user; that of the invitation where they are new. */
    readonly user: string;
    readonly userName: string;
    /** As the invitation says. */
    readonly email: string;
    readonly role: Role;
    readonly invitedBy: string;
    /** The first key of a new user; absent for an existing user. */
    readonly key?: ApiKey;
  };
}
export type InvitationRevoked = DomainEvent<'InvitationRevoked', 1, { readonly id: string }>;
export type InvitationEvent = MemberInvited | InvitationAccepted | InvitationRevoked;
