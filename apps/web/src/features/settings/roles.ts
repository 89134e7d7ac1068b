import type { Role } from '../../api/session';

/** Roles and their permissions, the most powerful role first. */
export const ROLES = [
  ['admin', 'Admin: everything'],
  ['member', 'Member: records and changes'],
  ['snapshotter', 'Snapshotter: reports what runs'],
  ['auditor', 'Auditor: reads everything, with logs and retention'],
  ['reader', 'Reader: reads'],
] as const satisfies readonly (readonly [Role, string])[];
