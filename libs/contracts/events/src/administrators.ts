import type { MembershipChange, Role } from './access';
import type { DomainEvent } from './event';

/** The administrators when the stream began, for organizations that are older than the stream. They come from memberships. */
export type AdministratorsListed = DomainEvent<'AdministratorsListed', 1, { readonly users: readonly string[] }>;
/** The user's membership becomes one of an administrator. */
export interface AdministratorAdded extends DomainEvent<'AdministratorAdded', 1> {
  readonly data: MembershipChange & { /** Id of the invitation that was accepted. */ readonly invitation?: string };
}
/** The user's membership gets another role, or ends. */
export interface AdministratorRemoved extends DomainEvent<'AdministratorRemoved', 1> {
  readonly data: MembershipChange & { /** The new role of the user; null: no member. */ readonly role: Role | null };
}
export type AdministratorsEvent = AdministratorsListed | AdministratorAdded | AdministratorRemoved;
