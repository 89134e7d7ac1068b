import { type Role, ROLES } from '@assurance/contracts/access/events';
import type { ServiceAccount } from './service-account';

/** The principal that sees or changes a service account. */
export interface Manager {
  readonly id: string;
  readonly role: Role;
}

/**
 * The roles that a role can grant. It also manages service accounts with these roles. An auditor reads data that otherwise only admins read, so only
 * an admin grants that role.
 */
const GRANTED: Readonly<Record<Role, readonly Role[]>> = {
  admin: ROLES,
  member: ['member', 'snapshotter', 'reader'],
  snapshotter: ['snapshotter', 'reader'],
  auditor: [],
  reader: [],
};

/** Whether a role may grant another, and change accounts that have it. */
export function includesRole(role: Role, includedRole: Role): boolean {
  return GRANTED[role].includes(includedRole);
}

/** Whether a principal may see a service account and its keys. Admins, members and auditors see all, and a snapshotter sees those it created. */
export function canSee(account: Pick<ServiceAccount, 'createdBy'>, { id, role }: Manager): boolean {
  return ['admin', 'member', 'auditor'].includes(role) || (role === 'snapshotter' && account.createdBy === id);
}
