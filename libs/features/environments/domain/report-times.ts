import type { Environment, ReportTimes } from '@assurance/contracts/environments/documents';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { err, ok, type Result } from '@assurance/kernel';
import { isHistory, newestOf } from './reports';

/** Two reporters of one environment may send their reports in another order than they looked, and their clocks may differ (milliseconds). */
const TOLERANCE_MS = 60_000;

/** What is known of an environment's reports. */
export interface ReportHistory {
  /** The newest of all; null where none came. */
  readonly newest: ReportTimes | null;
  /** The newest since the environment was created or last revived; null where none came since. */
  readonly previous: ReportTimes | null;
}

/** @param storedTimes reports that made no snapshot, as far as they were noted */
export function reportsSoFar(
  { reported, revivals = 0 }: Pick<Environment, 'reported' | 'revivals'>,
  ...storedTimes: readonly (ReportTimes | null | undefined)[]
): ReportHistory {
  const all = [reported, ...storedTimes];
  return { newest: newestOf(all), previous: newestOf(all.filter((times) => times?.revivals === revivals)) };
}

export type ObservedRefusal = FeatureRefusal<'observed-too-early' | 'observed-ahead'>;

/**
 * When a report was observed, in integer milliseconds. Observed times of an environment never decrease, and none lies in the future.
 *
 * @param requestedTime what the report names, in integer milliseconds; null where it names nothing
 * @param at the service's time in integer milliseconds, not before the environment's newest commit
 */
export function observedTime(
  { lastChangedAt }: Pick<Environment, 'lastChangedAt'>,
  requestedTime: number | null,
  { newest }: ReportHistory,
  at: number,
): Result<number, ObservedRefusal> {
  const last = newest?.observedAt ?? 0;
  if (requestedTime !== null) {
    if (requestedTime > at + TOLERANCE_MS) return err({ kind: 'observed-ahead', requested: requestedTime });
    if (requestedTime < last - TOLERANCE_MS)
      return err({ kind: 'observed-too-early', requested: requestedTime, newest: last });
  }
  return ok(Math.max(Math.min(requestedTime ?? at, at), last, lastChangedAt ?? 0));
}

/**
 * When a snapshot that no report made was observed, in integer milliseconds: now, but while history is brought in, the time of its newest report.
 *
 * @param at the service's time in integer milliseconds
 */
export function observedWithoutReport(
  { lastChangedAt }: Pick<Environment, 'lastChangedAt'>,
  { newest }: ReportHistory,
  at: number,
): number {
  return Math.max(newest !== null && isHistory(newest) ? newest.observedAt : at, lastChangedAt ?? 0);
}
