import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { Fields } from '../../domain/administrative-changes';

/** One administrative change. Depends on its stream alone. */
export interface ChangeRow {
  /** Its document's id, too. */
  readonly id: string;
  readonly org: string;
  readonly type: string;
  /** Id of the user or service account, or a word: `bootstrap`, `system`. */
  readonly actor: string;
  readonly kind: string;
  readonly subject: string;
  /** The subject's name from then on. */
  readonly name: string;
  readonly before: Fields;
  readonly after: Fields;
  /** Integer milliseconds. */
  readonly at: number;
}

export const changeRows: CollectionShape<ChangeRow> = {
  name: 'view_audit_log',
  deferred: 'first',
  indexes: [index('by_at', 'org', '-at', '-id')],
};

/** What is known of a subject after its stream's commit `seq`. */
export interface SubjectDocument {
  readonly name: string;
  readonly fields: Fields;
  readonly seq: number;
}

export const subjects: CollectionShape<SubjectDocument> = {
  name: 'view_audit_log_subjects',
  // Never stored before the rows that it was read for: those are not made again once it says that they were.
  deferred: 'last',
  indexes: [],
};

/** Where a change stands: the id of its row. @param ordinal which of its commit, from 0 */
export function rowId(stream: string, seq: number, ordinal: number): string {
  return `${stream}#${String(seq).padStart(12, '0')}.${String(ordinal).padStart(4, '0')}`;
}
