import type { Role } from '@assurance/http';
import type { ArchivedCollection } from '@assurance/storage-records';

/** The collections of roles that cannot be rebuilt from commits. */
export function archivedCollectionsOf(roles: readonly Role[]): ArchivedCollection[] {
  return roles.flatMap(({ archived = [] }) => archived);
}
