import type { Environment, ReportTimes } from '@assurance/contracts/environments/documents';
import type { ReportMissed } from '@assurance/contracts/environments/events';
import { accepted, type Decision, noChange } from '@assurance/kernel';
import {
  ACTIVITY_THROTTLE_MS,
  type EnvironmentActivity,
  isHistory,
  NEVER_REPORTED,
  type ReportFrequency,
} from './reports';

/** How many intervals are stored, and how many are needed to learn the usual interval: those between ten reports. */
const KEPT = 20;
const NEEDED = 9;
/** How many usual intervals may pass without a report, and the least time that may (milliseconds). */
const TIMES = 3;
const LEAST_MS = 300_000;
/** Shorter intervals are ignored (milliseconds), because two reporters of one environment may report at the same time. */
const TOGETHER_MS = 1_000;

type ReportExpectation = Pick<Environment, 'reportEvery'>;

/** After how many milliseconds without a report an environment is late; null if that is unknown. */
export function lateAfter(
  { reportEvery = 0 }: ReportExpectation,
  { intervals }: Pick<ReportFrequency, 'intervals'>,
): number | null {
  if (reportEvery > 0) return reportEvery * 1_000;
  if (intervals.length < NEEDED) return null;
  const sorted = [...intervals].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return Math.max(LEAST_MS, TIMES * median);
}

/**
 * When an environment becomes late without another report, in integer milliseconds; null if that is unknown. The service stores report
 * times at most every half minute, so the newest report may be that much later.
 *
 * @param from start of the wait, if that is later than its newest report
 */
function lateAt(environment: ReportExpectation, rhythm: ReportFrequency, from = 0): number | null {
  const after = lateAfter(environment, rhythm);
  return after === null ? null : Math.max(rhythm.receivedAt, from) + after + ACTIVITY_THROTTLE_MS;
}

/** When a first report is late (integer milliseconds); null if none is expected. @param from as of `lateAt` */
function firstLateAt({ reportEvery = 0, type, lastModifiedAt }: Environment, from: number): number | null {
  if (reportEvery === 0 || type === 'logical') return null;
  return Math.max(lastModifiedAt, from) + reportEvery * 1_000 + ACTIVITY_THROTTLE_MS;
}

/**
 * When an environment becomes late: without its first report, or without another one. Integer milliseconds; null if that is unknown.
 *
 * @param rhythm null if it has no report since it was created or revived
 * @param from as of `lateAt`
 */
export function nextLateAt(environment: Environment, rhythm: ReportFrequency | null, from: number): number | null {
  return rhythm === null ? firstLateAt(environment, from) : lateAt(environment, rhythm, from);
}

/** The rhythm after another report. @param receivedAt integer milliseconds */
export function frequencyAfter(before: ReportFrequency | null, receivedAt: number): ReportFrequency {
  if (before === null) return { receivedAt, intervals: [] };
  const interval = receivedAt - before.receivedAt;
  if (interval < TOGETHER_MS) return { ...before, receivedAt: Math.max(receivedAt, before.receivedAt) };
  return { receivedAt, intervals: [...before.intervals, interval].slice(-KEPT) };
}

/** Times of a report as `ReportTimes`. */
interface ReportTimestamps {
  readonly observedAt: number;
  readonly receivedAt: number;
}

/** The stored times of an environment's reports after another report. Reports about the past do not change the usual interval. */
export function activityAfter(
  environment: Pick<Environment, 'reportEvery' | 'revivals' | 'org'>,
  before: EnvironmentActivity | null,
  times: ReportTimestamps,
): EnvironmentActivity {
  const { revivals = 0, org } = environment;
  const { rhythm: frequency, lateAt: due, late, revivals: then = 0 } = before ?? {};
  const activity = { lastReportedAt: times.observedAt, receivedAt: times.receivedAt, revivals, org };
  if (isHistory(times)) {
    return {
      ...activity,
      ...(frequency === undefined ? {} : { rhythm: frequency }),
      ...(due === undefined ? {} : { lateAt: due }),
      ...(late === undefined ? {} : { late }),
    };
  }
  // Nobody reported it while it was archived.
  const since =
    frequency !== undefined && then !== revivals ? { ...frequency, receivedAt: times.receivedAt } : (frequency ?? null);
  return scheduleLateness(environment, { ...activity, rhythm: frequencyAfter(since, times.receivedAt) });
}

/** Adds the time at which the next report is late. */
export function scheduleLateness(
  environment: ReportExpectation,
  { lateAt: _, late: __, ...activity }: EnvironmentActivity,
): EnvironmentActivity {
  const dueTime = activity.rhythm === undefined ? null : lateAt(environment, activity.rhythm);
  return dueTime === null ? activity : { ...activity, lateAt: dueTime };
}

/** The fields of an environment that determine when a report is late. */
type ReportedState = Pick<Environment, 'reported' | 'revivals'>;

/**
 * How often an environment is reported; null if it has no report since it was created or revived.
 *
 * @param latest its newest report that this process received
 */
export function frequencyOf(
  { reported, revivals = 0 }: ReportedState,
  storedActivity: EnvironmentActivity | null,
  latest?: ReportTimes,
): ReportFrequency | null {
  const frequency =
    storedActivity?.rhythm !== undefined && (storedActivity.revivals ?? 0) === revivals ? storedActivity.rhythm : null;
  const times = [reported, latest].filter(
    (report) => report !== undefined && report.revivals === revivals && !isHistory(report),
  );
  const newest = Math.max(0, ...times.map((time) => time?.receivedAt ?? 0));
  return newest > (frequency?.receivedAt ?? 0) ? frequencyAfter(frequency, newest) : frequency;
}

/**
 * The report times in its events that are missing in its document, because a process may end between the two writes. Null if none are
 * missing.
 *
 * @param listeningSince as of `Silence`
 */
export function missingNote(
  environment: Environment,
  storedActivity: EnvironmentActivity | null,
  listeningSince: number,
): EnvironmentActivity | null {
  const { archived, missed, reported, revivals = 0, org } = environment;
  const rhythm = frequencyOf(environment, storedActivity);
  if (archived || rhythm === null) {
    const first = archived ? null : firstLateAt(environment, listeningSince);
    const { lateAt: due, late, ...rest } = storedActivity ?? { lastReportedAt: NEVER_REPORTED, revivals, org };
    if (first === null) return due === undefined && late === undefined ? null : rest;
    const isNoted = missed === undefined ? due !== undefined && due <= first : late === true;
    return isNoted ? null : { ...rest, lateAt: first };
  }
  const last = (storedActivity?.revivals ?? 0) === revivals ? storedActivity?.rhythm : undefined;
  // Report times are stored at most every half minute.
  const current = last !== undefined && rhythm.receivedAt - last.receivedAt < ACTIVITY_THROTTLE_MS ? last : rhythm;
  const dueTime = lateAt(environment, current, listeningSince);
  const isLate = missed !== undefined && missed.lastReceivedAt >= current.receivedAt;
  const isDue =
    dueTime === null ? storedActivity?.lateAt === undefined : (storedActivity?.lateAt ?? Infinity) <= dueTime;
  if (current === last && (isLate ? storedActivity?.late === true : isDue && storedActivity?.late === undefined))
    return null;
  const lastReportedAt = Math.max(storedActivity?.lastReportedAt ?? 0, reported?.observedAt ?? 0);
  const receivedAt = Math.max(storedActivity?.receivedAt ?? 0, current.receivedAt);
  // If it is late already, the next check records that.
  return scheduleLateness(environment, { lastReportedAt, receivedAt, revivals, org, rhythm: current });
}

/** The facts for the check whether a report is missing. */
export interface SilenceFacts {
  /** Null if it has no report since it was created or revived. */
  readonly rhythm: ReportFrequency | null;
  /** Since when the service has listened for reports: integer milliseconds, as `at`. Earlier silence does not count. */
  readonly listeningSince: number;
  readonly at: number;
}

/**
 * Whether a report is missing. It records that once for each report without a timely successor, and once more, without a message, after
 * each change of the expected interval. It records nothing before the service has listened for a whole interval.
 */
export function decideReportMissed(
  state: Environment,
  { rhythm, listeningSince, at }: SilenceFacts,
): Decision<ReportMissed, never> {
  const lastReceivedAt = rhythm?.receivedAt ?? NEVER_REPORTED;
  if (state.archived || state.type === 'logical') return noChange;
  if (state.missed !== undefined && state.missed.lastReceivedAt >= lastReceivedAt) return noChange;
  const lateTime = nextLateAt(state, rhythm, listeningSince);
  if (lateTime === null || lateTime > at) return noChange;
  const isTold = rhythm === null ? state.toldOf === NEVER_REPORTED : (state.toldOf ?? 0) >= lastReceivedAt;
  const dueAt = (nextLateAt(state, rhythm, 0) ?? lateTime) - ACTIVITY_THROTTLE_MS;
  const data = { lastReceivedAt, dueAt, ...(isTold ? ({ untold: true } as const) : {}) };
  return accepted({ type: 'ReportMissed', version: 1, data });
}

/** When the next report of a late environment was due (integer milliseconds); null if it is not late. */
export function lateSince(environment: Environment, activity: EnvironmentActivity | null): number | null {
  const { missed, archived, revivals = 0 } = environment;
  const last = (activity?.revivals ?? 0) === revivals ? (activity?.rhythm?.receivedAt ?? NEVER_REPORTED) : 0;
  return missed === undefined || archived || last > missed.lastReceivedAt ? null : missed.dueAt;
}
