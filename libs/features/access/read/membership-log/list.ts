import type { MembershipEventAnswer } from '@assurance/contracts/access/answers/access';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { pageOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Documents } from '@assurance/storage-ports';
import { type MembershipRow, membershipRows } from './rows';

/** The filter and the order of the membership log (specification 4.4). */
export interface MembershipFilter {
  readonly org: string;
  /** Part of the name of the user or of the actor. Ignores case. */
  readonly search: string;
  /** Empty for all. */
  readonly types: readonly string[];
  readonly roles: readonly string[];
  readonly sources: readonly string[];
  /** Integer milliseconds, both ends included; null for open. */
  readonly from: number | null;
  readonly to: number | null;
  readonly sort: 'when' | 'user' | 'role' | 'changed_by' | 'source';
  readonly direction: 'asc' | 'desc';
}

const FIELDS = { when: 'at', user: 'user', role: 'role', changed_by: 'changedBy', source: 'source' } as const;

/**
 * One page of the changes of memberships, and the number of changes on all pages. Ties are in the order of ids. With a filter, it reads the whole log
 * of the organization in bounded pieces. The log is short, because people change memberships, not machines.
 */
export async function listMembershipEvents(
  documents: Documents,
  { org, search, types, roles, sources, from, to, sort, direction }: MembershipFilter,
  page: PageRequest,
): Promise<PageEnds & { readonly rows: readonly MembershipRow[]; readonly count: number }> {
  const part = search.toLowerCase();
  const has = (name: string) => name.toLowerCase().includes(part);
  const among = (requested: readonly string[], value: string) => requested.length === 0 || requested.includes(value);
  const all = [search, ...types, ...roles, ...sources].join('') === '' && from === null && to === null;
  const { documents: rows, ...rest } = await pageOf<MembershipRow>(
    documents.collection(membershipRows),
    {
      where: { org },
      order: [
        [FIELDS[sort], direction],
        ['id', direction],
      ],
      matches: all
        ? null
        : (row) =>
            among(types, row.type) &&
            among(roles, row.role) &&
            among(sources, row.source) &&
            (from === null || row.at >= from) &&
            (to === null || row.at <= to) &&
            (has(row.user) || has(row.changedBy)),
    },
    page,
  );
  return { rows: rows.map(({ doc }) => doc), ...rest };
}

/** A change of a membership in the form of answers (specification 2.5). */
export function membershipEventAnswer(recorded: MembershipRow): MembershipEventAnswer {
  const { org: _, changedBy, previousRole, at, ...row } = recorded;
  return { ...row, changed_by: changedBy, previous_role: previousRole, created_at: at / 1_000 };
}
