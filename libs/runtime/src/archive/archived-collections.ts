import type { Role } from '@assurance/http';
import type { ArchivedCollection } from '@assurance/storage-records';

/** What roles keep beside commits. */
export function archivedCollectionsOf(roles: readonly Role[]): ArchivedCollection[] {
  return roles.flatMap(({ archived = [] }) => archived);
}
