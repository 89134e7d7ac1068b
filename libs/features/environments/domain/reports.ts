import { ReportTimes } from '@assurance/contracts/environments/documents';
import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { CollectionShape } from '@assurance/contracts/events/aggregate';
/** Reports of an environment are noted at most this often (milliseconds of observed time). */
export const ACTIVITY_THROTTLE_MS = 30_000;

/** State of an environment that is no event; the document's id is the environment's. */
export interface EnvironmentActivity {
  /** Observed time of the newest report, in integer milliseconds; at most 60 s early. */
  readonly lastReportedAt: number;
  /** Integer milliseconds; absent in documents of earlier versions, which had no observed times. */
  readonly receivedAt?: number;
  /** How often the environment had been revived; absent in documents of earlier versions. */
  readonly revivals?: number;
}

export const environmentActivity: CollectionShape<EnvironmentActivity> = {
  name: 'environment_activity',
  deferred: 'first',
  indexes: [],
};

/** The times of the report that a document notes. */
export function notedTimes({
  lastReportedAt: observedAt,
  receivedAt = observedAt,
  revivals = 0,
}: EnvironmentActivity): ReportTimes {
  return { observedAt, receivedAt, revivals };
}

/** Of some reports the one that was observed last; null of none. */
export function newestOf(reports: readonly (ReportTimes | null | undefined)[]): ReportTimes | null {
  return reports.reduce<ReportTimes | null>(
    (newest, one) => (one && (newest === null || one.observedAt > newest.observedAt) ? one : newest),
    null,
  );
}

/** A report that was observed longer than this before it was received tells history (milliseconds). */
const HISTORY_MS = 3_600_000;

/** Whether it tells what was more than an hour ago. Such a report needs an admin and sends no messages. */
export function isHistory({ observedAt, receivedAt }: Pick<ReportTimes, 'observedAt' | 'receivedAt'>): boolean {
  return receivedAt - observedAt > HISTORY_MS;
}

/** When what a snapshot shows was observed, in integer milliseconds. */
export function observedAtOf({ data }: SnapshotRecorded, { at }: { readonly at: number }): number {
  return data.observedAt ?? at;
}

/** Whether a report made a snapshot. Commits of earlier versions do not say so, but only reports start, stop and scale what runs. */
export function isOfReport({ type, changes, observedAt, previousReportAt }: SnapshotRecorded['data']): boolean {
  if (type === 'logical') return false;
  if (observedAt !== undefined) return previousReportAt !== undefined;
  return changes.some(({ change }) => change !== 'updated-provenance');
}

/** Whether a snapshot shows history. Nobody gets a message of it. */
export function showsHistory(event: SnapshotRecorded, meta: { readonly at: number }): boolean {
  return isHistory({ observedAt: observedAtOf(event, meta), receivedAt: meta.at });
}
