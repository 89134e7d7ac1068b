import type { MembershipSource, Role } from '@assurance/contracts/access/events';
import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';

/** One change of a membership. It depends only on the membership's stream. */
export interface MembershipRow {
  /** Also the id of its document. */
  readonly id: string;
  readonly org: string;
  readonly type: 'added' | 'changed' | 'removed';
  /** Names at the time of the change. */
  readonly user: string;
  readonly changedBy: string;
  /** Empty for a removed user. */
  readonly role: Role | '';
  /** Empty for an added user. */
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
