import type { Role } from '../access/events';

/**
 * The roles that have each permission. Users and service accounts share this model. A route names one of these permissions. The service role that
 * owns the route decides what "their own" (service accounts of a snapshotter) means.
 */
export const PERMISSIONS = {
  read: ['admin', 'member', 'snapshotter', 'auditor', 'reader'],
  /** Create, update and archive flows, trails, attestations, artifacts, attestation types, policies. */
  record: ['admin', 'member'],
  /** Report the running artifacts of an environment. */
  report: ['admin', 'member', 'snapshotter'],
  /** Create an environment, or create it again. */
  'environment.create': ['admin', 'member', 'snapshotter'],
  /** Patch, archive and rename environments; attach and detach policies. */
  'environment.update': ['admin', 'member'],
  'environment.delete': ['admin'],
  notifications: ['admin', 'member'],
  integrations: ['admin', 'member'],
  'service-accounts': ['admin', 'member', 'snapshotter'],
  'service-accounts.read': ['admin', 'member', 'snapshotter', 'auditor'],
  'policy.delete': [],
  'membership-log': ['admin', 'auditor'],
  /** Read administrative changes, and all events in one order. */
  'audit-log': ['admin', 'auditor'],
  /** Members and their roles, settings, spaces, controls. */
  organization: ['admin'],
  /** Read invitations, retention, legal holds, and the targets of warnings about expiring keys. */
  'organization.read': ['admin', 'auditor'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof PERMISSIONS;

export function may(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission];
  return roles.includes(role);
}
