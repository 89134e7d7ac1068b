import type { Role } from '../access/events';

/**
 * Who may do what: one role model for users and service accounts. A route names one of these permissions.
 * "Their own" (service accounts of a snapshotter) is decided by the role that owns the route.
 */
export const PERMISSIONS = {
  read: ['admin', 'member', 'snapshotter', 'auditor', 'reader'],
  /** Create, update and archive flows, trails, attestations, artifacts, attestation types, policies. */
  record: ['admin', 'member'],
  /** Report the running artifacts of an environment. */
  report: ['admin', 'member', 'snapshotter'],
  /** Create and create again. */
  'environment.create': ['admin', 'member', 'snapshotter'],
  /** Patch, archive, rename, attach and detach policies. */
  'environment.update': ['admin', 'member'],
  'environment.delete': ['admin'],
  notifications: ['admin', 'member'],
  integrations: ['admin', 'member'],
  'service-accounts': ['admin', 'member', 'snapshotter'],
  'service-accounts.read': ['admin', 'member', 'snapshotter', 'auditor'],
  'policy.delete': [],
  'membership-log': ['admin', 'auditor'],
  /** Administrative changes, and all events in one order. */
  'audit-log': ['admin', 'auditor'],
  /** Members and their roles, settings, spaces, controls. */
  organization: ['admin'],
  /** Invitations, retention, legal holds, and where warnings of ending keys go. */
  'organization.read': ['admin', 'auditor'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof PERMISSIONS;

export function may(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission];
  return roles.includes(role);
}
