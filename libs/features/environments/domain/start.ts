import { plausibleTime } from '@assurance/kernel';

/** The two reports between which an artifact started, in epoch seconds. */
export interface StartWindow {
  /** When the last report without it was observed; null if there was no report before. */
  readonly previous: number | null;
  /** When the first report with it was observed. */
  readonly observed: number;
}

/**
 * When an artifact started, in epoch seconds: the earliest plausible creation time of its instances, limited to the time between the previous
 * report and this one, because clocks of other machines may be wrong. A start before the artifact's commit becomes the time of the report.
 *
 * @param created creation times of its instances in epoch seconds, unknown ones included
 * @param commit time of its commit in epoch seconds, as known when the report is decided; null where unknown
 */
export function startOf(
  created: readonly number[],
  { previous, observed }: StartWindow,
  commit: number | null,
): number {
  const earliest = created.reduce((least, time) => Math.min(least, plausibleTime(time) ?? Infinity), Infinity);
  const startTime = Math.min(Math.max(earliest === Infinity ? observed : earliest, previous ?? -Infinity), observed);
  const commitTime = plausibleTime(commit);
  return commitTime !== null && startTime < commitTime ? observed : startTime;
}

/** Seconds from the commit to the start; null if a time is unknown or the commit is later than the start. */
export function leadTimeOf(start: number, commit: number | null | undefined): number | null {
  const [started, committed] = [plausibleTime(start), plausibleTime(commit)];
  return started === null || committed === null || started < committed ? null : started - committed;
}
