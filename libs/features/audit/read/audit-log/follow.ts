import type { AssuranceEvent } from '@assurance/contracts/events/codec';
import type { EventMeta } from '@assurance/contracts/events/event';
import { NO_ORGANIZATION } from '@assurance/contracts/events/streams';
import { batches, putRows } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import { PUBLIC_TYPES } from '@assurance/notifications/domain/public-events';
import type { Documents } from '@assurance/storage-ports';
import {
  ADMINISTRATIVE_TYPES,
  type AdministrativeChange,
  administrativeChange,
  applyChange,
  changeType,
} from '../../domain/administrative-changes';
import { appendToFeed } from '../event-feed/append';
import { feedPages } from '../event-feed/pages';
import { type ChangeRow, changeRows, rowId, type SubjectDocument, subjects } from './rows';

/**
 * The view of the log of administrative changes, with one row for each change, and of the event feed's order. Both are in one view, so that the feed
 * never refers to a change that has no row.
 */
export const auditLogView: View = {
  name: 'audit-log',
  version: 1,
  collections: [changeRows, subjects, feedPages],
  kinds: new Set([
    'attestation-type',
    'control',
    'environment',
    'flow',
    'invitation',
    'membership',
    'notification',
    'policy',
    'repo',
    'retention',
    'service-account',
    'spaces',
    'target-config',
    'trail',
    'vulnerabilities',
  ]),
  types: new Set([...ADMINISTRATIVE_TYPES, ...PUBLIC_TYPES]),
  take: follow,
};

async function follow(documents: Documents, recorded: readonly RecordedEvent[]): Promise<void> {
  const own = recorded.filter(({ meta }) => meta.org !== NO_ORGANIZATION);
  await followChanges(documents, changesOf(own));
  const metas = own.map(({ meta }) => meta);
  await appendToFeed(documents, metas);
}

interface Change {
  readonly id: string;
  readonly subject: string;
  /** The subject that begins with the change; null for most. */
  readonly begun: string | null;
  readonly type: string;
  readonly meta: EventMeta;
  readonly change: AdministrativeChange;
}

/** The administrative changes among events of whole commits. */
export function changesOf(recordedEvents: readonly RecordedEvent[]): Change[] {
  const counts = new Map<string, number>();
  return recordedEvents.flatMap(({ event, meta }) => {
    const change = administrativeChange(event as AssuranceEvent, meta);
    if (change === null) return [];
    const commit = rowId(meta.stream, meta.seq, 0);
    const ordinal = counts.get(commit) ?? 0;
    counts.set(commit, ordinal + 1);
    const id = rowId(meta.stream, meta.seq, ordinal);
    const subjectOf = (one: Pick<AdministrativeChange, 'kind' | 'id'>) => `${meta.stream}#${one.kind}#${one.id}`;
    const begunSubject = change.begins === undefined ? null : subjectOf(change.begins);
    return [{ id, subject: subjectOf(change), begun: begunSubject, type: changeType(event.type), meta, change }];
  });
}

async function followChanges(documents: Documents, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const storedSubjects = new Map<string, SubjectDocument>();
  const ids = changes.flatMap(({ subject, begun }) => (begun === null ? [subject] : [subject, begun]));
  for (const some of batches([...new Set(ids)])) {
    for (const [id, doc] of await documents.collection(subjects).getMany(some)) storedSubjects.set(id, doc);
  }
  const rows = new Map<string, ChangeRow>();
  const after = new Map<string, SubjectDocument>();
  for (const { id, subject, begun, type, meta, change } of changes) {
    if (begun !== null && change.begins !== undefined && meta.seq > (storedSubjects.get(begun)?.seq ?? 0)) {
      const { subject: document } = applyChange(null, change.begins);
      after.set(begun, { ...document, seq: meta.seq });
    }
    // The row of this change was written before.
    if (meta.seq <= (storedSubjects.get(subject)?.seq ?? 0)) continue;
    const result = applyChange(after.get(subject) ?? storedSubjects.get(subject) ?? null, change);
    const { org, actor, at } = meta;
    rows.set(id, { id, org, type, actor, kind: change.kind, subject: change.id, ...result.shown, at });
    after.set(subject, { ...result.subject, seq: meta.seq });
  }
  await putRows(documents.collection(changeRows), rows);
  for (const some of batches([...after])) {
    const writes = some.map(([id, doc]) => ({ kind: 'forward', id, seq: doc.seq, doc }) as const);
    await documents.collection(subjects).write(writes);
  }
}
