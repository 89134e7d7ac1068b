import type { Role } from '@assurance/http';
import type { Kept } from '@assurance/storage-records';

/** What roles keep beside commits. */
export function keptOf(roles: readonly Role[]): Kept[] {
  return roles.flatMap(({ keeps = [] }) => keeps);
}
