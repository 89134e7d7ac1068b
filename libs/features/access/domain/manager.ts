import { type Role, ROLES } from '@assurance/contracts/access/events';
import type { ServiceAccount } from './service-account';

/** The principal that sees or changes a service account. */
export interface Manager {
  readonly id: string;
  readonly role: Role;
}

/** Whether a role is at least as mighty as another. */
export function reaches(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(other);
}

/** Whether somebody may see a service account and its keys: admins and members all, a snapshotter its own. */
export function maySee(account: Pick<ServiceAccount, 'createdBy'>, { id, role }: Manager): boolean {
  return role === 'admin' || role === 'member' || (role === 'snapshotter' && account.createdBy === id);
}
