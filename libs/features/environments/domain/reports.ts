import { ReportTimes } from '@assurance/contracts/environments/documents';
import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import { type CollectionShape, orderBy } from '@assurance/contracts/events/aggregate';
/** Reports of an environment are noted at most this often (milliseconds of observed time). */
export const ACTIVITY_THROTTLE_MS = 30_000;

/** The time of the newest report of an environment that was never reported. */
export const NEVER_REPORTED = 0;

/** State of an environment that no event stores. The document's id is the id of the environment. */
export interface EnvironmentActivity {
  /** Observed time of the newest report, in integer milliseconds; at most 60 s early. `NEVER_REPORTED` where only a first one is expected. */
  readonly lastReportedAt: number;
  /** Integer milliseconds; absent in documents of earlier versions, which had no observed times. */
  readonly receivedAt?: number;
  /** How often the environment had been revived; absent in documents of earlier versions. */
  readonly revivals?: number;
  /** Id of its organization; absent in documents of earlier versions. */
  readonly org?: string;
  /** Times between its reports; absent before the first report about the present. */
  readonly rhythm?: ReportFrequency;
  /** When it becomes late without another report (integer milliseconds); left out if that is unknown, and once it is late. */
  readonly lateAt?: number;
  /** Set while it is late. */
  readonly late?: true;
}

/** How often an environment is reported. Reports about the past do not count. */
export interface ReportFrequency {
  /** When the newest report was received: integer milliseconds, as the intervals. */
  readonly receivedAt: number;
  /** The times between the last reports, the newest last. */
  readonly intervals: readonly number[];
}

export const environmentActivity: CollectionShape<EnvironmentActivity> = {
  name: 'environment_activity',
  deferred: 'first',
  indexes: [
    { name: 'by_late_at', fields: orderBy('lateAt'), only: 'lateAt' },
    { name: 'by_late', fields: orderBy('late', 'org'), only: 'late' },
  ],
};

/** The times of the report in a document; null where it was never reported. */
export function reportTimesOf({
  lastReportedAt: observedAt,
  receivedAt = observedAt,
  revivals = 0,
}: EnvironmentActivity): ReportTimes | null {
  if (observedAt === NEVER_REPORTED) return null;
  return { observedAt, receivedAt, revivals };
}

/** The report that was observed last; null if there are none. */
export function newestOf(reports: readonly (ReportTimes | null | undefined)[]): ReportTimes | null {
  return reports.reduce<ReportTimes | null>(
    (newest, times) => (times && (newest === null || times.observedAt > newest.observedAt) ? times : newest),
    null,
  );
}

/** A report that was observed longer than this before it was received is about the past (milliseconds). */
const HISTORY_MS = 3_600_000;

/** Whether a report was observed more than an hour before it was received. Such a report needs an admin and sends no messages. */
export function isHistory({ observedAt, receivedAt }: Pick<ReportTimes, 'observedAt' | 'receivedAt'>): boolean {
  return receivedAt - observedAt > HISTORY_MS;
}

/** When a snapshot was observed, in integer milliseconds. */
export function observedAtOf({ data }: SnapshotRecorded, { at }: { readonly at: number }): number {
  return data.observedAt ?? at;
}

/** Whether a report made a snapshot. Commits of earlier versions do not store that, but only reports start, stop and scale artifacts. */
export function isOfReport({ type, changes, observedAt, previousReportAt }: SnapshotRecorded['data']): boolean {
  if (type === 'logical') return false;
  if (observedAt !== undefined) return previousReportAt !== undefined;
  return changes.some(({ change }) => change !== 'updated-provenance');
}

/** Whether a snapshot is about the past. The service sends no messages about it. */
export function showsHistory(event: SnapshotRecorded, meta: { readonly at: number }): boolean {
  return isHistory({ observedAt: observedAtOf(event, meta), receivedAt: meta.at });
}
