import { type Role, ROLES } from '@assurance/contracts/access/events';
import type { ServiceAccount } from './service-account';

/** The principal that sees or changes a service account. */
export interface Manager {
  readonly id: string;
  readonly role: Role;
}

/** The roles that a role grants, and whose accounts it manages. An auditor reads what only admins read, so only an admin grants it. */
const GRANTED: Readonly<Record<Role, readonly Role[]>> = {
  admin: ROLES,
  member: ['member', 'snapshotter', 'reader'],
  snapshotter: ['snapshotter', 'reader'],
  auditor: [],
  reader: [],
};

/** Whether a role may grant another, and change accounts that have it. */
export function includesRole(role: Role, other: Role): boolean {
  return GRANTED[role].includes(other);
}

/** Whether somebody may see a service account and its keys: admins, members and auditors all, a snapshotter its own. */
export function canSee(account: Pick<ServiceAccount, 'createdBy'>, { id, role }: Manager): boolean {
  return ['admin', 'member', 'auditor'].includes(role) || (role === 'snapshotter' && account.createdBy === id);
}
