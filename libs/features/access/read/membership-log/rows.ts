import type { MembershipSource, Role } from '@assurance/contracts/access/events';
import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';

/** One change of a membership. Depends on the membership's stream alone. */
export interface MembershipRow {
  /** Its document's id, too. */
  readonly id: string;
  readonly org: string;
  readonly type: 'added' | 'changed' | 'removed';
  /** Names, as they were then. */
  readonly user: string;
  readonly changedBy: string;
  /** Empty for who was removed. */
  readonly role: Role | '';
  /** Empty for who was added. */
  readonly previousRole: Role | '';
  readonly source: MembershipSource;
  /** Integer milliseconds. */
  readonly at: number;
}

const sorted = (field: keyof MembershipRow) => index(`by_${field}`, 'org', `-${field}`, '-id');

export const membershipRows: CollectionShape<MembershipRow> = {
  name: 'view_membership_log',
  deferred: 'first',
  indexes: [sorted('at'), sorted('user'), sorted('role'), sorted('changedBy'), sorted('source')],
};
