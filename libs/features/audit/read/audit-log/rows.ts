import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { Fields } from '../../domain/administrative-changes';

/** One administrative change. It depends only on its stream. */
export interface ChangeRow {
  /** Also the id of its document. */
  readonly id: string;
  readonly org: string;
  readonly type: string;
  /** Id of the user or service account, or `bootstrap` or `system`. */
  readonly actor: string;
  readonly kind: string;
  readonly subject: string;
  /** The subject's name after the change. */
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

/** The known name and fields of a subject after commit `seq` of its stream. */
export interface SubjectDocument {
  readonly name: string;
  readonly fields: Fields;
  readonly seq: number;
}

export const subjects: CollectionShape<SubjectDocument> = {
  name: 'view_audit_log_subjects',
  // Subjects are stored after the rows of their changes, because a stored subject means that these rows are not written again.
  deferred: 'last',
  indexes: [],
};

/** The id of a change's row, made of its position. @param ordinal the number of the change in its commit, from 0 */
export function rowId(stream: string, seq: number, ordinal: number): string {
  return `${stream}#${String(seq).padStart(12, '0')}.${String(ordinal).padStart(4, '0')}`;
}
