import type { MembershipEvent } from '@assurance/contracts/access/events';
import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import { putRows } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import type { Documents } from '@assurance/storage-ports';
import { type MembershipRow, membershipRows } from './rows';

/** The view of the membership log, with one row for each event (specification 2.5). */
export const membershipLogView: View = {
  name: 'membership-log',
  version: 1,
  collections: [membershipRows],
  kinds: new Set(['membership']),
  types: new Set<MembershipEvent['type']>(['MemberAdded', 'MemberRoleChanged', 'MemberRemoved']),
  take: (documents, recorded) => follow(documents, recorded as readonly RecordedEvent<MembershipEvent>[]),
};

async function follow(documents: Documents, recorded: readonly RecordedEvent<MembershipEvent>[]): Promise<void> {
  const rows = new Map(recorded.map(({ event, meta }) => membershipRow(event, meta)).map((row) => [row.id, row]));
  await putRows(documents.collection(membershipRows), rows);
}

const TYPES = { MemberAdded: 'added', MemberRoleChanged: 'changed', MemberRemoved: 'removed' } as const;

/** The row of an event. The same event always gives the same row. */
export function membershipRow(event: MembershipEvent, { org, stream, seq, at, actor }: EventMeta): MembershipRow {
  const { userName, source, changedBy } = event.data;
  return {
    // A commit has one event of a membership.
    id: `${keyOf(stream).replace('/', '.')}.${seq}`,
    org,
    type: TYPES[event.type],
    user: userName,
    changedBy: changedBy ?? actor,
    role: event.type === 'MemberRemoved' ? '' : event.data.role,
    previousRole: event.type === 'MemberAdded' ? '' : event.data.previousRole,
    source,
    at,
  };
}
