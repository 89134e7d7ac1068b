import type { Environment } from '@assurance/contracts/environments/documents';
import type { ReportMissed } from '@assurance/contracts/environments/events';
import { accepted, type Decision, nothing } from '@assurance/kernel';
import { ACTIVITY_THROTTLE_MS, type EnvironmentActivity, isHistory, type Rhythm } from './reports';

/** How many intervals are remembered, and how many are needed to learn from: those between ten reports. */
const KEPT = 20;
const NEEDED = 9;
/** How many usual intervals may pass without a report, and the least time that may (milliseconds). */
const TIMES = 3;
const LEAST_MS = 300_000;
/** Two reporters of one environment may report at the same moment: that is no interval (milliseconds). */
const TOGETHER_MS = 1_000;

type Expecting = Pick<Environment, 'reportEvery'>;

/** After how many milliseconds without a report an environment is late; null where nobody knows. */
export function lateAfter({ reportEvery = 0 }: Expecting, { intervals }: Pick<Rhythm, 'intervals'>): number | null {
  if (reportEvery > 0) return reportEvery * 1_000;
  if (intervals.length < NEEDED) return null;
  const sorted = [...intervals].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return Math.max(LEAST_MS, TIMES * median);
}

/**
 * When an environment is late without another report, in integer milliseconds; null where nobody knows. Reports are noted every half minute at most:
 * one may have come so much later.
 *
 * @param from what it waits from, where that is later than its newest report
 */
export function lateAt(environment: Expecting, rhythm: Rhythm, from = 0): number | null {
  const after = lateAfter(environment, rhythm);
  return after === null ? null : Math.max(rhythm.receivedAt, from) + after + ACTIVITY_THROTTLE_MS;
}

/** The rhythm after another report. @param receivedAt integer milliseconds */
export function rhythmAfter(before: Rhythm | null, receivedAt: number): Rhythm {
  if (before === null) return { receivedAt, intervals: [] };
  const interval = receivedAt - before.receivedAt;
  if (interval < TOGETHER_MS) return { ...before, receivedAt: Math.max(receivedAt, before.receivedAt) };
  return { receivedAt, intervals: [...before.intervals, interval].slice(-KEPT) };
}

/** Times of a report as `ReportTimes`. */
interface Noted {
  readonly observedAt: number;
  readonly receivedAt: number;
}

/** What is noted of an environment's reports after another one. A report that tells history teaches nothing about silence. */
export function activityAfter(
  environment: Pick<Environment, 'reportEvery' | 'revivals' | 'org'>,
  before: EnvironmentActivity | null,
  times: Noted,
): EnvironmentActivity {
  const { revivals = 0, org } = environment;
  const { rhythm: known, lateAt: due, late, revivals: then = 0 } = before ?? {};
  const noted = { lastReportedAt: times.observedAt, receivedAt: times.receivedAt, revivals, org };
  if (isHistory(times)) {
    return {
      ...noted,
      ...(known === undefined ? {} : { rhythm: known }),
      ...(due === undefined ? {} : { lateAt: due }),
      ...(late === undefined ? {} : { late }),
    };
  }
  // Nobody reported it while it was archived.
  const since = known !== undefined && then !== revivals ? { ...known, receivedAt: times.receivedAt } : (known ?? null);
  return scheduled(environment, { ...noted, rhythm: rhythmAfter(since, times.receivedAt) });
}

/** The same with the time at which it is late. */
export function scheduled(
  environment: Expecting,
  { lateAt: _, late: __, ...activity }: EnvironmentActivity,
): EnvironmentActivity {
  const due = activity.rhythm === undefined ? null : lateAt(environment, activity.rhythm);
  return due === null ? activity : { ...activity, lateAt: due };
}

/** What is known of an environment's reports when somebody looks whether one is missing. */
export interface Silence {
  /** Null where it was never reported since it was created or revived. */
  readonly rhythm: Rhythm | null;
  /** Since when somebody would have noted a report: integer milliseconds, as `at`. Silence before that means nothing. */
  readonly listeningSince: number;
  readonly at: number;
}

/** Whether a report is missing. Once for each report that none followed in time; nothing before all of an interval was listened to. */
export function decideReportMissed(
  state: Environment,
  { rhythm, listeningSince, at }: Silence,
): Decision<ReportMissed, never> {
  if (state.archived || state.type === 'logical' || rhythm === null) return nothing;
  if (state.missed !== undefined && state.missed.lastReceivedAt >= rhythm.receivedAt) return nothing;
  const due = lateAt(state, rhythm, listeningSince);
  if (due === null || due > at) return nothing;
  const data = { lastReceivedAt: rhythm.receivedAt, dueAt: rhythm.receivedAt + (lateAfter(state, rhythm) ?? 0) };
  return accepted({ type: 'ReportMissed', version: 1, data });
}

/** By when the next report of a late environment was due (integer milliseconds); null where it is not late. */
export function lateSince({ missed, archived }: Environment, activity: EnvironmentActivity | null): number | null {
  const last = activity?.rhythm?.receivedAt ?? 0;
  return missed === undefined || archived || last > missed.lastReceivedAt ? null : missed.dueAt;
}
